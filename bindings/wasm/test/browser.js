// A page of headless Chromium that has this package and three.js, as modules: nothing is bundled.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".html": "text/html", ".wasm": "application/wasm" };
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
/** WebGL without a graphics card. */
export const GRAPHICS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
/** An isolated page has threads, and a clock of 5 microseconds; others have one of 100. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };
const folder = fileURLToPath(new URL("..", import.meta.url));
const PAGE = `<!doctype html><meta charset="utf-8"><title>pliant</title><link rel="icon" href="data:,"><script type="importmap">${JSON.stringify({
  imports: {
    pliant: "/src/index.js", "pliant/three": "/three/index.js",
    three: "/node_modules/three/build/three.module.js", "three/addons/": "/node_modules/three/examples/jsm/",
    "pliant/babylon": "/babylon/index.js",
    "@babylonjs/core/": "/node_modules/@babylonjs/core/", "@babylonjs/loaders/": "/node_modules/@babylonjs/loaders/",
    "three-mesh-bvh": "/node_modules/three-mesh-bvh/build/index.module.js",
  },
})}</script>`;

/** Where Chromium is; undefined if it is not installed. */
export const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", process.env.CHROMIUM].find((path) => path && existsSync(path));

function serve(files, headers) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://local").pathname);
    const send = (bytes, type) => response.writeHead(200, { ...headers, "content-type": type ?? "application/octet-stream" }).end(bytes);
    if (path === "/") return send(PAGE, TYPES[".html"]);
    try {
      send(files[path] ?? readFileSync(join(folder, normalize(path))), TYPES[extname(path)]);
    } catch {
      response.writeHead(404).end();
    }
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

/** Calls use(context) with a browser, and closes it. */
export async function withBrowser(flags, use) {
  const profile = mkdtempSync(join(tmpdir(), "pliant-chromium-"));
  const context = await chromium.launchPersistentContext(profile, { executablePath: browser, args: [...FLAGS, ...flags], headless: true });
  try {
    return await use(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** Calls use(page) with a page, and closes all. `files` are served beside those of the package, by their paths. */
export async function withPage(files, use, flags = ["--disable-gpu"], headers = ISOLATED) {
  const server = await serve(files, headers);
  try {
    return await withBrowser(flags, async (context) => {
      const page = await context.newPage();
      page.on("console", (message) => console.log(`page: ${message.text()}`));
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      return use(page);
    });
  } finally {
    server.close();
  }
}
