// node --import ./test/oldest.mjs: takes the oldest three.js that the package is made for, wherever one is imported.

import { register } from "node:module";

const hook = `export const resolve = (name, context, next) => next(name.replace(/^three(?=$|\\/)/, "three-oldest"), context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
