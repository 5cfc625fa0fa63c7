// Every example of the README runs, and the one of docs/hits.md.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("..", import.meta.url));
const text = ["../README.md", "../../../docs/hits.md"].map((path) => readFileSync(new URL(path, import.meta.url), "utf8")).join("\n");

for (const [, title, code] of text.matchAll(/^## ([^\n]*)\n[^#]*?```js\n([^]*?)```/gm)) {
  test(title, () => {
    const printed = execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8" });
    assert.notEqual(printed, "");
    assert.doesNotMatch(printed, /undefined|NaN/);
  });
}
