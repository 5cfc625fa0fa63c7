// Runs a WebAssembly program that was built for WASI, with the files of this folder:
// node scripts/run-wasi.mjs PROGRAM ARGUMENT...
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const preopens = { '.': process.cwd() };
const wasi = new WASI({ version: 'preview1', args: process.argv.slice(2), preopens });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const imports = { wasi_snapshot_preview1: wasi.wasiImport };
const instance = await WebAssembly.instantiate(program, imports);
process.exitCode = wasi.start(instance) ?? 0;
