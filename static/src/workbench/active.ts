// How long somebody really worked: gaps without any movement count up to half a minute. Pure: the clock is an argument.

const LONGEST_GAP_MS = 30_000;

export class ActiveTime {
  private total = 0;

  constructor(private last: number) {}

  touch(now: number): void {
    this.total += Math.min(Math.max(0, now - this.last), LONGEST_GAP_MS);
    this.last = now;
  }

  ms(now: number): number {
    this.touch(now);
    return Math.round(this.total);
  }
}
