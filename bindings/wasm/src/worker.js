// A thread of the library in a page: a Web Worker.

import { work } from "./work.js";

addEventListener("message", ({ data }) => work(data, (error) => postMessage(error)), { once: true });
