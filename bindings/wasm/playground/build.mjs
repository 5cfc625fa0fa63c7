// Makes the playground, a page in one file: node bindings/wasm/playground/build.mjs [OUT.html]
//
// Takes bindings/wasm/build and `npm ci --ignore-scripts` in bindings/wasm. The page asks nothing of the network, and works from a
// disk as well as from a server.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const top = dirname(here);
const out = process.argv[2] ?? join(top, "../../build/web/playground.html");
const scratch = mkdtempSync(join(tmpdir(), "pliant-"));

/** esbuild's program itself: its install script, which may not run everywhere, does nothing else that counts. */
function bundler() {
  const folder = join(top, "node_modules/@esbuild");
  return readdirSync(folder).map((name) => join(folder, name, "bin/esbuild")).find(existsSync);
}

function bundle(file, ...options) {
  const common = ["--bundle", "--minify", "--target=es2022", "--legal-comments=inline", "--charset=ascii", "--log-level=warning",
    `--alias:pliant=${join(top, "src/index.js")}`, `--alias:pliant/three=${join(top, "three/index.js")}`];
  return execFileSync(bundler(), [join(here, "src", file), ...common, ...options], { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** The script, with the worker's script and the module in it. */
function script() {
  const worker = join(scratch, "worker.txt"), wasm = join(scratch, "pliant.bin");
  // The worker is a classic script: the files of the package, which import.meta.url would name, are not asked for.
  writeFileSync(worker, bundle("worker.js", "--format=iife", "--define:import.meta.url=\"\""));
  writeFileSync(wasm, gzipSync(readFileSync(join(top, "dist/pliant-simd.wasm")), { level: 9 }));
  return bundle("main.js", "--format=esm", `--alias:worker-text=${worker}`, `--alias:wasm-bytes=${wasm}`, "--loader:.txt=text", "--loader:.bin=binary")
    .replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

/** What the page's policy knows a script or a style by: nothing else runs, whatever a file holds. */
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function licenses() {
  const texts = [join(top, "node_modules/three/LICENSE"), join(top, "dist/NOTICES.txt")].map((file) => readFileSync(file, "utf8"));
  return `<!--\nThis page has three.js and wasi-libc in it, under their licenses:\n\n${texts.join("\n").replaceAll("--", "- -")}\n-->`;
}

const style = readFileSync(join(here, "style.css"), "utf8");
const code = script();
rmSync(scratch, { recursive: true });
const parts = { "SCRIPT-HASH": hash(code), "STYLE-HASH": hash(style), "<!--LICENSES-->": licenses(), "/*STYLE*/": style, "/*SCRIPT*/": code };
let page = readFileSync(join(here, "index.html"), "utf8");
for (const [mark, part] of Object.entries(parts)) page = page.replace(mark, () => part);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${(page.length / 1000).toFixed(0)} kB, ${(gzipSync(page, { level: 9 }).length / 1000).toFixed(0)} kB with gzip`);
