// What a worker of threads.js does.

import { importsOf } from "./imports.js";

/** Takes tasks until the threads end. Calls ready() before; with an error, if there is one. */
export async function work({ compiled, memory, number, stackTop }, ready) {
  let exports;
  try {
    exports = (await WebAssembly.instantiate(compiled, importsOf(memory))).exports;
    exports.__stack_pointer.value = stackTop;
    ready(null);
  } catch (error) {
    return ready(error);
  }
  try {
    exports.web_thread_work(number);
  } catch (error) {
    exports.web_thread_fail(); // the query throws as well
    throw error;
  }
}
