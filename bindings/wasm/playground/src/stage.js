// The view: camera, lights, floor, and what is drawn.

import {
  Box3, Color, DirectionalLight, GridHelper, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const styled = (name) => new Color(getComputedStyle(document.documentElement).getPropertyValue(name).trim());

export class Stage {
  #renderer;
  #camera = new PerspectiveCamera(35, 1, 0.01, 100);
  #controls;
  #grid;
  #canvas;

  constructor(canvas, onChange) {
    this.#canvas = canvas;
    this.scene = new Scene();
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(1, 2, 3);
    this.scene.add(new HemisphereLight(0xffffff, 0x8890a0, 2), sun);
    this.#renderer = new WebGLRenderer({ canvas, antialias: true });
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.addEventListener("change", onChange);
    new ResizeObserver(() => { this.#resize(); onChange(); }).observe(canvas.parentElement);
    this.#resize();
  }

  /** More pixels than two for each of the page cost more than they show. */
  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#canvas.parentElement;
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.#renderer.setSize(Math.max(width, 1), Math.max(height, 1), false);
    this.#camera.aspect = Math.max(width, 1) / Math.max(height, 1);
    this.#camera.updateProjectionMatrix();
  }

  /** The whole model, from in front and a little above. */
  fit(root) {
    const box = new Box3().setFromObject(root, true);
    if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3(1, 1, 1));
    const size = box.getSize(new Vector3()), center = box.getCenter(new Vector3());
    const tangent = Math.tan((this.#camera.fov * Math.PI) / 360);
    const across = Math.hypot(size.x, size.z);
    const distance = 1.1 * Math.max(size.y / 2 / tangent, across / 2 / tangent / this.#camera.aspect) + across / 2;
    this.#camera.position.copy(center).add(new Vector3(0.45, 0.3, 1).normalize().multiplyScalar(distance));
    this.#camera.near = distance / 200;
    this.#camera.far = 20 * distance;
    this.#camera.updateProjectionMatrix();
    this.#controls.target.copy(center);
    this.#controls.update();
    this.#floor(Math.max(size.x, size.z, 1e-6) * 2, center, box.min.y);
  }

  #floor(width, center, height) {
    if (this.#grid) {
      this.scene.remove(this.#grid);
      this.#grid.dispose();
    }
    this.#grid = new GridHelper(width, 12);
    this.#grid.material.vertexColors = false;
    this.#grid.material.color = styled("--grid");
    this.#grid.position.set(center.x, height, center.z);
    this.scene.add(this.#grid);
  }

  /** The colors of the scheme that the reader has now. */
  recolor(lineMaterial) {
    lineMaterial.color = styled("--cut");
    if (this.#grid) this.#grid.material.color = styled("--grid");
    this.scene.background = styled("--view");
  }

  get camera() { return this.#camera; }
  get controls() { return this.#controls; }

  draw() { this.#renderer.render(this.scene, this.#camera); }

  /** Waits for what was drawn: the milliseconds of a frame, with nothing else in the way. */
  drawAndWait() {
    const gl = this.#renderer.getContext();
    const start = performance.now();
    this.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - start;
  }
}
