/** A fault that happens once by default. If several match a call, the first one happens. */
export type PlatformFault = {
  /**
   * `METHOD host/path` with `*` for anything, such as `POST graph.threads.net*threads_publish`; every call if absent.
   */
  on?: string
  /** The connection ends: before anything is done, or after it was done and without a response. */
  drop?: 'before' | 'after'
  /** The response is delayed by this many milliseconds, after the call was carried out. */
  delayMs?: number
  /** Returned instead of the platform's response, such as invalid JSON. Nothing is carried out unless `done`. */
  done?: boolean
  answer?: { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  /** How often; 1 by default. */
  times?: number
  /** How many matching calls pass first. */
  after?: number
}

export class PlatformFaults {
  #faults: (PlatformFault & { left: number; skip: number })[] = []

  add(fault: PlatformFault): void {
    this.#faults.push({ ...fault, left: fault.times ?? 1, skip: fault.after ?? 0 })
  }

  clear(): void {
    this.#faults = []
  }

  /** Takes the fault for this call, if there is one. */
  take(call: string): PlatformFault | undefined {
    const fault = this.#faults.find(({ on = '*', left }) => left > 0 && fits(on, call))
    if (!fault) return undefined
    if (fault.skip-- > 0) return undefined
    fault.left -= 1
    return fault
  }
}

function fits(pattern: string, call: string): boolean {
  const regex = pattern
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`^${regex}$`).test(call)
}
