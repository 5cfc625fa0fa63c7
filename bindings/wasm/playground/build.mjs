// Makes the playground, a page in one file: node bindings/wasm/playground/build.mjs [OUT.html]
//
// Takes bindings/wasm/build and `npm ci --ignore-scripts` in bindings/wasm. The page asks nothing of the network, and works from a
// disk as well as from a server.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPage } from "../pages.mjs";

const here = dirname(fileURLToPath(import.meta.url));
buildPage({
  template: join(here, "index.html"), style: join(here, "style.css"), main: join(here, "src/main.js"), worker: join(here, "src/worker.js"),
  out: process.argv[2] ?? join(here, "../../../build/web/playground.html"),
});
