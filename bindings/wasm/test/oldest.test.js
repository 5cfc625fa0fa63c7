// All of test/three.test.js with the oldest three.js that the package is made for.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("the oldest three.js", () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const { NODE_TEST_CONTEXT, ...env } = process.env; // it is a run of its own
  const { status, stdout } = spawnSync(process.execPath, ["--import", "./test/oldest.mjs", "--test", "test/three.test.js"], { cwd, env, encoding: "utf8" });
  assert.equal(status, 0, stdout);
});
