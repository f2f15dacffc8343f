/** A list of listeners to one kind of event. */
export class Listeners<Event extends readonly unknown[]> {
  private readonly all = new Set<(...event: Event) => void>();

  /** Returns the way to stop listening. */
  add(listener: (...event: Event) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  tell(...event: Event): void {
    for (const listener of this.all) listener(...event);
  }
}
