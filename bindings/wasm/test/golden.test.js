// The golden hash of the library, in node: tests/golden/test_hash.c in WebAssembly, with SIMD and without.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runHash } from "./hash.js";

for (const name of ["simd", "scalar"]) {
  const program = fileURLToPath(new URL(`../../../build/web/${name}/tests/test_hash`, import.meta.url));
  test(`the golden hash: ${name}`, { skip: existsSync(program) ? false : "not built: bindings/wasm/build --tests" }, async () => {
    const { code, text } = await runHash(program);
    assert.equal(code, 0, text);
    assert.match(text, /answers [0-9a-f]{16}/);
  });
}
