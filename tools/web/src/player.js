// Playing: around and around a run, at a speed.

export class Player {
  /** findings: for the runs; onStep(sample): another pose is due; onChange(isPlaying). */
  constructor(findings, onStep, onChange) {
    Object.assign(this, { findings, onStep, onChange });
    this.isPlaying = false;
    this.speed = 1;
    this.clock = 0;
  }

  play(isPlaying) {
    this.isPlaying = isPlaying && this.findings.sampleCount > 1;
    this.clock = 0;
    this.onChange(this.isPlaying);
  }

  /** Time has gone by, in milliseconds of a clock. */
  tick(time, sample) {
    const seconds = this.lastTime ? Math.min(0.25, (time - this.lastTime) / 1000) : 0;
    this.lastTime = time;
    if (!this.isPlaying) return;
    const { run } = this.findings.momentOf(sample);
    this.clock += seconds * this.speed * ((run.rate || 30) / (run.step || 1));
    const steps = Math.floor(this.clock);
    if (!steps) return;
    this.clock -= steps;
    this.onStep(run.sample + ((sample - run.sample + steps) % run.count));
  }
}
