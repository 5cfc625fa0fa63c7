#!/usr/bin/env node
// The command, in WebAssembly: npx pliant check model.glb

import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { decoders } from "./decoders.js";

/** The folders that it may use: the current one, and those of arguments that are elsewhere. */
function foldersOf(given) {
  const paths = given.map((one) => one.slice(one.startsWith("--") ? one.indexOf("=") + 1 : 0));
  const elsewhere = paths.filter((path) => isAbsolute(path) || path.startsWith("..")).map(dirname);
  return Object.fromEntries([".", ...elsewhere].map((path) => [path, resolve(path)]));
}

process.removeAllListeners("warning"); // that node's WASI is experimental
const { WASI } = await import("node:wasi");
const given = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["pliant", ...given], env: process.env, preopens: foldersOf(given) });
const program = await WebAssembly.compile(await readFile(new URL("../dist/command.wasm", import.meta.url)));
const imports = { wasi_snapshot_preview1: wasi.wasiImport, pliant: decoders(() => instance.exports.memory) };
const instance = await WebAssembly.instantiate(program, imports);
try {
  process.exitCode = wasi.start(instance) ?? 0;
} catch (error) { // a package is not there, or there is no memory; 1 would mean findings
  console.error(`pliant: ${error.message}`);
  process.exitCode = 4;
}
