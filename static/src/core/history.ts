// Undo and redo by named steps, without limit. One history belongs to one image; a step is a whole state, which shares
// what did not change with its neighbours. Steps are made by actions, never by the clock.

export interface History<State> {
  readonly state: State;
  /** Names of the steps that can be taken back, oldest first. */
  readonly done: readonly string[];
  /** Names of the steps that can be made again, next first. */
  readonly undone: readonly string[];
  /**
   * Notes the state after a step and forgets the undone ones. A step that `continues` the one before (a held key) and
   * bears its name becomes part of it, unless that one is the state the history has just come back to.
   */
  record(name: string, state: State, continues?: boolean): void;
  /** The name of the step taken back, or null at the start. */
  undo(): string | null;
  /** The name of the step made again, or null at the end. */
  redo(): string | null;
  /** Puts a state in place without a step: what the server stored, or what another device wrote. */
  replace(state: State): void;
}

interface Step<State> {
  readonly name: string;
  readonly after: State;
}

export function createHistory<State>(initial: State): History<State> {
  return new Steps(initial);
}

class Steps<State> implements History<State> {
  private first: State;
  private past: Step<State>[] = [];
  private future: Step<State>[] = [];
  private fresh = false;

  constructor(initial: State) {
    this.first = initial;
  }

  get state(): State {
    const last = this.past.at(-1);
    return last === undefined ? this.first : last.after;
  }

  get done(): readonly string[] {
    return this.past.map(({ name }) => name);
  }

  get undone(): readonly string[] {
    return this.future.map(({ name }) => name).reverse();
  }

  record(name: string, state: State, continues = false): void {
    if (continues && this.fresh && this.past.at(-1)?.name === name) this.past.pop();
    this.past.push({ name, after: state });
    this.future = [];
    this.fresh = true;
  }

  undo(): string | null {
    return this.shift(this.past, this.future);
  }

  redo(): string | null {
    return this.shift(this.future, this.past);
  }

  replace(state: State): void {
    const last = this.past.pop();
    if (last === undefined) this.first = state;
    else this.past.push({ name: last.name, after: state });
    this.fresh = false;
  }

  private shift(from: Step<State>[], to: Step<State>[]): string | null {
    const step = from.pop();
    if (step === undefined) return null;
    to.push(step);
    this.fresh = false;
    return step.name;
  }
}
