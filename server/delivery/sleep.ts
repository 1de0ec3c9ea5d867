/** The sleep of a loop between two looks at something, which others can end. */
export class Sleep {
  #end: (() => void) | undefined
  #nudged = false

  /** Ends the current sleep, or skips the next rest if the loop is awake, since it may already have looked. */
  nudge(): void {
    this.#nudged = true
    this.end()
  }

  /** Ends the current sleep, if there is one. */
  end(): void {
    this.#end?.()
  }

  /** Sleeps until there may be something to do: for this many milliseconds, or until it's nudged. */
  async rest(milliseconds: number): Promise<void> {
    if (!this.#nudged) await this.for(milliseconds)
    this.#nudged = false
  }

  /** Sleeps for this many milliseconds, or until it's ended. */
  for(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#end = undefined
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      this.#end = done
    })
  }
}
