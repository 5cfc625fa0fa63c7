// A headless Chromium, spoken to through two pipes (the DevTools protocol), with nothing but node.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--disable-default-apps", "--disable-extensions",
  // WebGL without a graphics card.
  "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
];

/** The program's path, or null. */
export function findBrowser() {
  for (const name of [process.env.CHROMIUM, ...NAMES].filter(Boolean)) {
    try {
      return execFileSync("sh", ["-c", 'command -v "$0"', name], { encoding: "utf8" }).trim();
    } catch {
      continue;
    }
  }
  return null;
}

export class Browser {
  constructor(program) {
    this.folder = mkdtempSync(join(tmpdir(), "pliant-page-"));
    this.process = spawn(program, [...FLAGS, `--user-data-dir=${this.folder}`, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.waiting = new Map();
    this.listeners = [];
    this.count = 0;
    let text = Buffer.alloc(0);
    this.process.stdio[4].on("data", (chunk) => {
      text = Buffer.concat([text, chunk]);
      for (let end; (end = text.indexOf(0)) >= 0; text = text.subarray(end + 1))
        this.#take(JSON.parse(text.subarray(0, end).toString()));
    });
  }

  #take(message) {
    const wait = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (wait && message.error) wait.reject(new Error(message.error.message));
    else if (wait) wait.resolve(message.result);
    else for (const listener of this.listeners) listener(message);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.count;
    this.process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method} has no answer`)), 60000);
      const settled = (settle) => (value) => (clearTimeout(timer), settle(value));
      this.waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
    });
  }

  /** Opens an address in a tab of its own, and waits until the page has drawn; before: a script that
   * runs ahead of the page's. */
  async open(address, { width = 1000, height = 700, scheme = "light", before = "" } = {}) {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const tab = new Tab(this, targetId, sessionId);
    this.listeners.push((message) => tab.hear(message));
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await tab.send(`${domain}.enable`);
    await tab.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await tab.look(scheme);
    if (before) await tab.send("Page.addScriptToEvaluateOnNewDocument", { source: before });
    await tab.send("Page.navigate", { url: address });
    await tab.until("window.pliantReady === true");
    return tab;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Tab {
  constructor(browser, targetId, sessionId) {
    Object.assign(this, { browser, targetId, sessionId, complaints: [], requests: [] });
  }

  send(method, params) {
    return this.browser.send(method, params, this.sessionId);
  }

  hear({ sessionId, method, params }) {
    if (sessionId !== this.sessionId) return;
    if (method === "Runtime.exceptionThrown")
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    // What a driver without a graphics card says of its own speed.
    if (params?.entry?.text?.includes("GPU stall due to ReadPixels")) return;
    if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level))
      this.complaints.push(params.entry.text);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type))
      this.complaints.push(params.args.map((each) => each.value ?? each.description).join(" "));
    if (method === "Page.javascriptDialogOpening") {
      this.complaints.push(`a dialog: ${params.message}`);
      this.send("Page.handleJavaScriptDialog", { accept: false });
    }
    if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
  }

  async get(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression, returnByValue: true, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  async until(expression, seconds = 60) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; ) {
      if (await this.get(expression)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`waited ${seconds} s for: ${expression}. ${this.complaints.join("; ")}`);
  }

  look(scheme) {
    return this.send("Emulation.setEmulatedMedia", {
      features: [
        { name: "prefers-color-scheme", value: scheme },
        { name: "prefers-reduced-motion", value: "reduce" },
      ],
    });
  }

  async press(key) {
    const code = { " ": "Space" }[key] ?? key;
    const text = key.length === 1 ? key : undefined;
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
  }

  /** Presses the mouse at a place of an element: shares of its width and height. */
  async click(selector, x = 0.5, y = 0.5) {
    const at = await this.get(`(() => {
      const element = document.querySelector(${JSON.stringify(selector)});
      element.scrollIntoView({ block: "nearest" });
      const box = element.getBoundingClientRect();
      return { x: box.left + box.width * ${x}, y: box.top + box.height * ${y} };
    })()`);
    const event = { ...at, button: "left", clickCount: 1 };
    await this.send("Input.dispatchMouseEvent", { type: "mousePressed", buttons: 1, ...event });
    await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...event });
  }

  /** The picture of the tab, as the bytes of a PNG, after a frame. */
  async picture() {
    await this.get("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    const { data } = await this.send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }

  close() {
    return this.browser.send("Target.closeTarget", { targetId: this.targetId });
  }
}
