// Pliant in node, which fetches no files and has workers of its own.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { setReader } from "./module.js";
import { setPlatform } from "./threads.js";

setReader(async (url) => {
  const { protocol } = new URL(url, import.meta.url);
  if (protocol === "file:") return readFile(fileURLToPath(new URL(url, import.meta.url)));
  return fetch(url);
});

setPlatform({
  hasThreads: () => true,
  startWorker: (workerData) => new Promise((done, fail) => {
    const worker = new Worker(new URL("./node-worker.js", import.meta.url), { workerData, execArgv: [] });
    worker.once("error", fail);
    worker.once("message", (error) => {
      worker.unref(); // a program ends without ending its threads
      done([worker, error]);
    });
  }),
});

export * from "./index.js";
