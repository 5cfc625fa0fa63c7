// The command under node: the same reports as the command of this machine, byte by byte.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { assetFiles } from "./models.js";

const own = fileURLToPath(new URL("../bin/pliant.js", import.meta.url));
const wasm = fileURLToPath(new URL("../dist/command.wasm", import.meta.url));
const native = fileURLToPath(new URL("../../../build/web/native/tools/pliant", import.meta.url));
const isBuilt = existsSync(wasm) && existsSync(native);
const folder = mkdtempSync(join(tmpdir(), "pliant-"));
after(() => rmSync(folder, { recursive: true }));

const REPORTS = ["--json", "report.json", "--csv", "report.csv", "--junit", "report.xml"];

/** All that a command writes: its exit code, its table, its files. */
function check(program, given, file) {
  const here = mkdtempSync(join(folder, "run-"));
  copyFileSync(file, join(here, basename(file)));
  const { status, stdout, stderr } = spawnSync(program, [...given, "check", basename(file), ...REPORTS], { cwd: here, encoding: "utf8" });
  const written = readdirSync(here).filter((name) => name !== basename(file)).map((name) => [name, readFileSync(join(here, name), "utf8")]);
  return { found: { status, stdout, written }, stderr };
}

describe("the command", { skip: isBuilt ? false : "not built: bindings/wasm/build --tests --command" }, () => {
  const files = assetFiles();
  for (const file of files) {
    test(file.split("/").slice(-2).join("/"), (t) => {
      const { found, stderr } = check(process.execPath, [own], file);
      if (/meshopt|draco/i.test(stderr)) return t.skip("compressed: meshoptimizer and Draco are not in the WebAssembly build");
      const { found: expected } = check(native, [], file);
      assert.deepEqual(found, expected);
      assert.ok(expected.status > 1 || expected.written.length === 3, String(expected.status));
    });
  }
  test("reads and writes elsewhere", { skip: files.length === 0 ? "PLIANT_ASSETS is not set" : false }, () => {
    const here = mkdtempSync(join(folder, "run-"));
    const file = files.find((path) => path.endsWith("Fox.glb"));
    const given = ["check", file, "--json", "../elsewhere.json", `--csv=${join(folder, "elsewhere.csv")}`];
    spawnSync(process.execPath, [own, ...given], { cwd: here });
    for (const name of ["elsewhere.json", "elsewhere.csv"]) assert.match(readFileSync(join(folder, name), "utf8"), /Fox/);
  });
  test("says what is wrong", () => {
    const { status, stderr } = spawnSync(process.execPath, [own, "check", "no-such-file.glb"], { encoding: "utf8", cwd: folder });
    assert.ok(status > 1);
    assert.match(stderr, /no-such-file\.glb/);
    assert.doesNotMatch(stderr, /Warning/);
  });
});
