/** One thing that goes wrong, once unless said. The first fault whose pattern fits a call is the one that happens. */
export type PlatformFault = {
  /** `METHOD host/path` with `*` for anything, such as `POST graph.threads.net*threads_publish`; of every call when absent. */
  on?: string
  /** The connection ends: before anything is done, or after it was done and without an answer. */
  drop?: 'before' | 'after'
  /** The answer comes so many milliseconds later, after it was done. */
  delayMs?: number
  /** Said in place of the platform's answer, such as no JSON. Nothing is done, unless `done`. */
  done?: boolean
  answer?: { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  /** How often; 1 unless said. */
  times?: number
  /** How many calls that fit pass before. */
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

  /** Takes the fault of this call, if there is one. */
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
