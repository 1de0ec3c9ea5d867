/** SQLSTATE disk_full: the database couldn't make a file longer. It lives on, and can still be read. */
export const DISK_FULL = '53100'

/** Writes a temporary file of a few megabytes: a small change may find room in a file that exists. */
export const WRITE_A_FILE = "set local work_mem = '64kB'; select count(*) from generate_series(1, 300000)"
/** Milliseconds between two looks at a full disk. */
const EVERY = 5000

/**
 * Whether the database's disk is full. It is from the moment at which any statement of this process is told so, until a
 * temporary file of a few megabytes can be written.
 */
export class DiskWatch {
  readonly #listeners: ((isFull: boolean) => void)[] = []
  readonly #write: () => Promise<unknown>
  #isFull = false
  #next: NodeJS.Timeout | undefined

  /** `write` runs WRITE_A_FILE. */
  constructor(write: () => Promise<unknown>) {
    this.#write = write
  }

  /** Called with each change. */
  onChange(listener: (isFull: boolean) => void): void {
    this.#listeners.push(listener)
  }

  /** Takes note of an error that the database returned. */
  note(code: string | undefined): void {
    if (code !== DISK_FULL || this.#isFull) return
    this.#set(true)
    this.#lookLater()
  }

  /** Whether it's full now. Costs nothing unless it was full a moment ago. */
  async look(): Promise<boolean> {
    if (!this.#isFull) return false
    try {
      await this.#write()
      if (this.#isFull) this.#set(false)
    } catch {
      // still full, or the database doesn't respond, which the next look finds out
    }
    return this.#isFull
  }

  stop(): void {
    clearTimeout(this.#next)
  }

  #lookLater(): void {
    this.#next = setTimeout(() => {
      void this.look().then((isFull) => isFull && this.#lookLater())
    }, EVERY).unref()
  }

  #set(isFull: boolean): void {
    this.#isFull = isFull
    if (!isFull) this.stop()
    for (const listener of this.#listeners) listener(isFull)
  }
}
