#!/usr/bin/env node
// The command, in WebAssembly: npx pliant check model.glb

import { readFile } from "node:fs/promises";

process.removeAllListeners("warning"); // that node's WASI is experimental
const { WASI } = await import("node:wasi");
const url = new URL("../dist/command.wasm", import.meta.url);
const wasi = new WASI({
  version: "preview1",
  args: ["pliant", ...process.argv.slice(2)],
  env: process.env,
  preopens: { "/": "/", ".": process.cwd() },
});
const program = await WebAssembly.compile(await readFile(url));
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance) ?? 0;
