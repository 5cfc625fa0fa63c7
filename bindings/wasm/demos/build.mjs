// Makes the demos, each a page in one file: node bindings/wasm/demos/build.mjs [FOLDER]
//
// Takes what playground/build.mjs takes.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPage } from "../pages.mjs";
import { DEMOS } from "./list.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "../../../build/web");
for (const { name, title, about } of DEMOS) {
  buildPage({
    template: join(here, "page.html"), style: join(here, "style.css"), main: join(here, `${name}.js`), texts: { "TITLE": title, "ABOUT": about },
    out: join(folder, `demo-${name}.html`),
  });
}
