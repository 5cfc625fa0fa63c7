// Builds pages that need no server: one file each, with three.js, the library and its module in it. They ask nothing of the network.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const top = dirname(fileURLToPath(import.meta.url));

/** esbuild's program itself: its install script, which may not run everywhere, does nothing else that counts. */
function bundler() {
  const folder = join(top, "node_modules/@esbuild");
  return readdirSync(folder).map((name) => join(folder, name, "bin/esbuild")).find(existsSync);
}

/** One script of a file and all that it imports. */
function bundle(file, ...options) {
  const common = ["--bundle", "--minify", "--target=es2022", "--legal-comments=inline", "--charset=ascii", "--log-level=warning",
    `--alias:pliant=${join(top, "src/index.js")}`, `--alias:pliant/three=${join(top, "three/index.js")}`];
  return execFileSync(bundler(), [file, ...common, ...options], { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** A page's script, with the module in it, and its worker's script if it has one. */
function scriptOf(main, worker, scratch) {
  const text = join(scratch, "worker.txt"), wasm = join(scratch, "pliant.bin");
  // The worker is a classic script: the files of the package, which import.meta.url would name, are not asked for.
  writeFileSync(text, worker ? bundle(worker, "--format=iife", "--define:import.meta.url=\"\"") : "");
  writeFileSync(wasm, gzipSync(readFileSync(join(top, "dist/pliant-simd.wasm")), { level: 9 }));
  return bundle(main, "--format=esm", `--alias:worker-text=${text}`, `--alias:wasm-bytes=${wasm}`, "--loader:.txt=text", "--loader:.bin=binary")
    .replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

/** What the page's policy knows a script or a style by: nothing else runs, whatever a file holds. */
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function licenses() {
  const texts = [join(top, "node_modules/three/LICENSE"), join(top, "dist/NOTICES.txt")].map((file) => readFileSync(file, "utf8"));
  return `<!--\nThis page has three.js and wasi-libc in it, under their licenses:\n\n${texts.join("\n").replaceAll("--", "- -")}\n-->`;
}

/** Writes a page: a template with marks for its parts, a style, and a script. `texts` are marks of its own. */
export function buildPage({ template, style: styleFile, main, worker, texts = {}, out }) {
  const style = readFileSync(styleFile, "utf8");
  const scratch = mkdtempSync(join(tmpdir(), "pliant-"));
  const code = scriptOf(main, worker, scratch);
  rmSync(scratch, { recursive: true });
  const parts = {
    ...texts, "SCRIPT-HASH": hash(code), "STYLE-HASH": hash(style), "<!--LICENSES-->": licenses(), "/*STYLE*/": style, "/*SCRIPT*/": code,
  };
  let page = readFileSync(template, "utf8");
  for (const [mark, part] of Object.entries(parts)) page = page.replaceAll(mark, () => part);
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, page);
  console.log(`${out}: ${(page.length / 1000).toFixed(0)} kB, ${(gzipSync(page, { level: 9 }).length / 1000).toFixed(0)} kB with gzip`);
}
