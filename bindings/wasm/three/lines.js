// Lines that show what the library sees, in world coordinates: add them to the scene.

import { BufferAttribute, BufferGeometry, LineSegments } from "three";

/** Segments whose number changes from frame to frame. */
class Lines extends LineSegments {
  constructor(material) {
    super(new BufferGeometry(), material);
    this.frustumCulled = false;
    this.matrixAutoUpdate = false;
  }

  /** Calls write(array) with room for so many segments, six numbers each. */
  show(count, write) {
    const attribute = this.#room(6 * count);
    write(attribute.array);
    attribute.needsUpdate = true;
    this.geometry.setDrawRange(0, 2 * count);
  }

  #room(length) {
    const known = this.geometry.getAttribute("position");
    if (known && known.array.length >= length) return known;
    this.geometry.dispose();
    this.geometry.setAttribute("position", new BufferAttribute(new Float32Array(2 * length + 6), 3));
    return this.geometry.attributes.position;
  }
}

/** Where the triangles of contacts intersect. */
export class ContactLines extends Lines {
  update(world, contacts) {
    const cuts = world.intersections(contacts);
    this.show(cuts.segmentCount, (array) => cuts.writeSegments(array));
  }
}

/** The twelve edges of a box: pairs of corners, whose bits choose low or high on each axis. */
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

/** The bounding boxes of bodies. */
export class BoundsLines extends Lines {
  update(bodies) {
    const all = [...bodies];
    this.show(12 * all.length, (array) => {
      let at = 0;
      for (const body of all) {
        const { low, high } = body.box();
        for (const corner of EDGES) for (let axis = 0; axis < 3; axis++) array[at++] = (corner >> axis & 1 ? high : low)[axis];
      }
    });
  }
}
