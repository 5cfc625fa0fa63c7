// The demos, in the order of docs/demos.md.

export const DEMOS = [
  { name: "crowd", title: "A crowd to shoot at", about: "Exact hits on animated characters: the bone that is hit decides the damage." },
  { name: "cloth", title: "A cloth on a walking character", about: "XPBD in the page; the library finds what is near, and what would pass through." },
  { name: "faces", title: "Faces that morph into each other", about: "Two faces with morph targets, and the lines and regions where they intersect." },
];
