// The types: every export has one, the examples of the README compile with them, and the package is whole.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(top, "test/types-"));
after(() => rmSync(folder, { recursive: true }));

for (const name of ["src", "three", "babylon"]) {
  test(`${name}: every export has a type`, async () => {
    const types = readFileSync(join(top, name, "index.d.ts"), "utf8");
    for (const value of Object.keys(await import(join(top, name, "index.js")))) {
      assert.match(types, new RegExp(`export (class|function) ${value}\\b`));
    }
  });
}

/** Types of other packages are not checked: those of Babylon want types of WebGPU. */
function compile(files) {
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,esnext.disposable,dom"];
  const { status, stdout } = spawnSync(process.execPath, [join(top, "node_modules/typescript/bin/tsc"), ...options, ...files], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
}

test("the README compiles", () => {
  const text = readFileSync(join(top, "README.md"), "utf8");
  const files = [...text.matchAll(/```js\n([^]*?)```/g)].map(([, code], i) => {
    // What is asserted to be there, in examples: bodies that were not disposed, and bodies that touch.
    const checked = code.replaceAll(/\b(bodyA|bodyB|world\.distance\(a, b\))\./g, "$1!.").replaceAll("error.message", "(error as Error).message");
    writeFileSync(join(folder, `readme-${i}.ts`), checked);
    return join(folder, `readme-${i}.ts`);
  });
  compile(files);
});

/** What the adapters are used for, as it is written down. */
const ADAPTERS = `
import { Mesh } from "@babylonjs/core/Meshes/mesh.js";
import { Scene } from "@babylonjs/core/scene.js";
import * as pliant from "pliant";
import * as babylon from "pliant/babylon";
import { BoundsLines, ContactLines, MeshBody, installRaycast } from "pliant/three";
import * as THREE from "three";

export function useThree(scene: THREE.Scene, world: pliant.World) {
  installRaycast(THREE, pliant).dispose();
  const { bodyOf } = installRaycast(scene, pliant, { world });
  const body: MeshBody = bodyOf(new THREE.SkinnedMesh());
  body.update();
  new BoundsLines().update(world.bodies);
  new ContactLines().update(world, world.collide());
}

export function useBabylon(scene: Scene, mesh: Mesh) {
  const { world, bodyOf, dispose } = babylon.installPicking(pliant, { scene });
  bodyOf(mesh).update(mesh.getWorldMatrix());
  new babylon.MeshBody(world, mesh, { shape: babylon.shapeOf(mesh, world.module) }).body.castRays([0, 0, 0, 0, 0, 1, 9]);
  dispose();
}
`;

test("the types of the adapters compile", () => {
  const file = join(folder, "adapters.ts");
  writeFileSync(file, ADAPTERS);
  compile([file]);
});

test("are-the-types-wrong finds nothing", () => {
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: top });
  const archive = join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")));
  const program = join(top, "node_modules/@arethetypeswrong/cli/dist/index.js");
  const { status, stdout } = spawnSync(process.execPath, [program, archive, "--profile", "esm-only"], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
});

test("publint finds nothing", { skip: existsSync(join(top, "dist/command.wasm")) ? false : "not built: bindings/wasm/build --command" }, () => {
  const printed = execFileSync(process.execPath, [join(top, "node_modules/publint/src/cli.js"), "run", "--strict", top], { encoding: "utf8" });
  assert.match(printed, /All good/);
});
