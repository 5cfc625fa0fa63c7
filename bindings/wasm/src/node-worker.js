// A thread of the library in node.

import { parentPort, workerData } from "node:worker_threads";
import { work } from "./work.js";

await work(workerData, (error) => parentPort.postMessage(error));
