// The command under node: the same reports as the command of this machine, byte by byte.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compressedModels, damaged } from "./compressed.js";
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
  return { status, stdout, stderr, written };
}

const LACKS = /this build is without (lib\w+)/;

/** Asserts the same as by the command of this machine, where that has the libraries for it. */
function assertSame(t, file) {
  const expected = check(native, [], file);
  if (LACKS.test(expected.stderr)) return t.skip(`the native command is without ${LACKS.exec(expected.stderr)[1]}`);
  assert.deepEqual(check(process.execPath, [own], file), expected);
  assert.ok(expected.status > 1 || expected.written.length === 3, String(expected.status));
}

describe("the command", { skip: isBuilt ? false : "not built: bindings/wasm/build --tests --command" }, () => {
  const files = assetFiles();
  for (const file of files) {
    test(file.split("/").slice(-2).join("/"), (t) => assertSame(t, file));
  }
  test("compressed models", async (t) => {
    for (const [name, bytes] of Object.entries(await compressedModels())) {
      writeFileSync(join(folder, name), bytes);
      await t.test(name, (t) => assertSame(t, join(folder, name)));
    }
  });
  test("damaged models", async (t) => {
    const here = mkdtempSync(join(folder, "damaged-"));
    for (const [name, bytes] of Object.entries(await compressedModels())) {
      for (let seed = 0; seed < 24; seed++) writeFileSync(join(here, `${seed}-${name}`), damaged(bytes, seed));
    }
    const given = ["check", ...readdirSync(here), "--jobs", "1"];
    const [found, expected] = [[process.execPath, own], [native]].map(([program, ...first]) => {
      const { status, stdout, stderr } = spawnSync(program, [...first, ...given], { cwd: here, encoding: "utf8" });
      return { status, stdout, stderr };
    });
    if (LACKS.test(expected.stdout)) return t.skip("the native command is without libmeshoptimizer or libdraco");
    assert.deepEqual(found, expected);
    assert.match(found.stdout, /EXT_meshopt_compression cannot be decompressed: damaged/);
    assert.match(found.stdout, /KHR_draco_mesh_compression cannot be decompressed: Failed to decode/);
  });
  test("says that a package is not installed", async () => {
    const here = mkdtempSync(join(folder, "alone-"));
    cpSync(dirname(own), join(here, "bin"), { recursive: true });
    cpSync(wasm, join(here, "dist/command.wasm"));
    writeFileSync(join(here, "package.json"), '{ "type": "module" }');
    for (const [name, bytes] of Object.entries(await compressedModels())) {
      writeFileSync(join(here, name), bytes);
      const { status, stderr } = spawnSync(process.execPath, ["bin/pliant.js", "check", name], { cwd: here, encoding: "utf8" });
      assert.equal(status, 4);
      assert.match(stderr, /^pliant: Cannot find package '(draco3d|meshoptimizer)'/);
    }
  });
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
