// The YAML of packaging/fleet against schemas, and all of it as JSON on stdout: node documents.mjs FOLDER
//
// Jobs of Kubernetes against the schemas of its API (kubernetes-models), action and workflow against those of GitHub
// (@action-validator/core). Of Open Job Description no package with a schema was found: its properties are held against the
// table below, which was written from the specification of 2023-09, and is nobody's schema but ours.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateAction, validateWorkflow } from "@action-validator/core";
import yaml from "js-yaml";
import { Job } from "kubernetes-models/batch/v1";

const folder = process.argv[2];
const errors = [];

function job(name, document) {
    try {
        new Job(document).validate();
    } catch (error) {
        errors.push(`${name}: ${error.message}`);
    }
}

function actions(validate) {
    return (name, _, text) => {
        // Actions of others, and globs of files, are looked for in a repository: here there is none.
        for (const error of validate(text).errors.filter(({ code }) => code !== "glob_not_matched"))
            errors.push(`${name}: ${error.path ?? ""} ${error.detail ?? error.title}`);
    };
}

// Properties of each object; those with a star must be there.
const properties = {
    template: ["specificationVersion*", "name*", "description", "parameterDefinitions", "jobEnvironments", "steps*"],
    parameterDefinitions: ["name*", "type*", "description", "default", "minValue", "maxValue", "objectType", "dataFlow", "userInterface"],
    steps: ["name*", "description", "dependencies", "parameterSpace", "script*", "stepEnvironments", "hostRequirements"],
    dependencies: ["dependsOn*"],
    parameterSpace: ["taskParameterDefinitions*", "combination"],
    taskParameterDefinitions: ["name*", "type*", "range*"],
    script: ["actions*", "embeddedFiles"],
    actions: ["onRun*"],
    onRun: ["command*", "args", "timeout", "cancelation"],
    cancelation: ["mode*", "notifyPeriodInSeconds"],
    embeddedFiles: ["name*", "type*", "data*", "filename", "runnable"],
};

function openjd(name, document, _, kind = "template") {
    if (Array.isArray(document)) {
        document.forEach((item) => openjd(name, item, _, kind));
        return;
    }
    const known = properties[kind].map((property) => property.replace("*", ""));
    for (const property of properties[kind].filter((property) => property.endsWith("*")))
        if (!(property.slice(0, -1) in document)) errors.push(`${name}: ${kind} has no ${property.slice(0, -1)}`);
    for (const [key, value] of Object.entries(document)) {
        if (!known.includes(key)) errors.push(`${name}: ${kind} has ${key}, which is not known`);
        else if (key in properties) openjd(name, value, _, key);
    }
    const needed = kind === "template" ? document.steps.flatMap((step) => step.dependencies ?? []) : [];
    for (const { dependsOn } of needed)
        if (!document.steps.some((step) => step.name === dependsOn)) errors.push(`${name}: there is no step ${dependsOn}`);
}

const checks = {
    "kubernetes-check.yaml": job,
    "kubernetes-merge.yaml": job,
    "github/action.yml": actions(validateAction),
    "github/workflow.yml": actions(validateWorkflow),
    "openjd.yaml": openjd,
};

const documents = {};
for (const [name, check] of Object.entries(checks)) {
    const text = readFileSync(join(folder, name), "utf8");
    documents[name] = yaml.load(text);
    check(name, documents[name], text);
    // A document that is wrong must be refused, or the check shows nothing.
    const count = errors.length;
    const wrong = structuredClone(documents[name]);
    Object.assign(wrong.spec ?? wrong.runs ?? wrong.jobs?.check ?? wrong.steps[0], { template: 3, steps: 3, script: { runs: 3 } });
    check(name, wrong, yaml.dump(wrong));
    if (errors.splice(count).length === 0) errors.push(`${name}: a wrong document is not refused`);
}
if (errors.length > 0) {
    console.error(errors.join("\n"));
    process.exit(1);
}
console.log(JSON.stringify(documents));
