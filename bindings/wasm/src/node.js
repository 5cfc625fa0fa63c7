// Pliant in node, which fetches no files.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { setReader } from "./module.js";

setReader(async (url) => {
  const { protocol } = new URL(url, import.meta.url);
  if (protocol === "file:") return readFile(fileURLToPath(new URL(url, import.meta.url)));
  return fetch(url);
});

export * from "./index.js";
