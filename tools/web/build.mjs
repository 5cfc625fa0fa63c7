// Makes the shell of the page, as C: node build.mjs PACKAGES OUT.c
//
// PACKAGES is a folder with node_modules, where `npm ci --ignore-scripts` has run. esbuild is called
// by its program: its install script, which may not run everywhere, does nothing else that counts.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [packages, out] = process.argv.slice(2);

function bundler() {
  const folder = join(packages, "node_modules", "@esbuild");
  const programs = readdirSync(folder).flatMap((name) => [
    join(folder, name, "bin", "esbuild"),
    join(folder, name, "esbuild.exe"),
  ]);
  return programs.find(existsSync);
}

function bundle() {
  const options = [
    join(here, "src", "main.js"), "--bundle", "--minify", "--format=esm", "--target=es2022",
    "--legal-comments=inline", "--charset=ascii", "--log-level=warning",
  ];
  return execFileSync(bundler(), options, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NODE_PATH: join(packages, "node_modules") },
  });
}

/** A script element ends at the first "</script", wherever that stands in the script. */
function insideScript(text) {
  return text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

function licenses() {
  const three = readFileSync(join(packages, "node_modules", "three", "LICENSE"), "utf8");
  return `<!--\nThis page has three.js in it, under its license:\n\n${three.replaceAll("--", "- -")}\n-->`;
}

/** What the page's policy knows a script or a style by: nothing else runs, whatever a name holds. */
function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function page() {
  const style = readFileSync(join(here, "page.css"), "utf8");
  const script = insideScript(bundle());
  const parts = {
    "SCRIPT-HASH": hash(script),
    "STYLE-HASH": hash(style),
    "<!--LICENSES-->": licenses(),
    "/*STYLE*/": style,
    "/*SCRIPT*/": script,
  };
  let text = readFileSync(join(here, "page.html"), "utf8");
  for (const [mark, part] of Object.entries(parts)) text = text.replace(mark, () => part);
  return text.split("<!--DATA-->\n").map((half) => Buffer.from(half));
}

function array(name, bytes) {
  const rows = [];
  for (let i = 0; i < bytes.length; i += 32) rows.push([...bytes.subarray(i, i + 32)].join(","));
  return `const unsigned char ${name}[] = {\n${rows.join(",\n")}};\nconst size_t ${name}_size = sizeof ${name};\n`;
}

const [head, tail] = page();
writeFileSync(
  out,
  `/* Made by tools/web/build.mjs. */\n#include "view/page.h"\n\n` +
    array("page_shell_head", head) + array("page_shell_tail", tail),
);
