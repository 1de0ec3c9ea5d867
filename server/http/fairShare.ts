/** Who requests a slot: keys of the person and of the organization, each undefined if unknown. */
export type Party = { person: string; organization: string | undefined }

/** Why there was no slot: their own share is used up, or others have taken all slots. */
export type Refusal = 'own share' | 'all taken'

export type FairShareOptions = {
  slots: number
  /** A person can take a slot while they run fewer than this times the free slots. */
  personShare: number
  organizationShare: number
  /** How many units of work may wait, such as calls weighted by their bodies. */
  waiting: { person: number; organization: number }
  /** How long a call waits, in milliseconds. */
  patience: number
}

type Waiter = { party: Party; units: number; since: number; start: () => void }

/**
 * Shares a fixed number of slots so that nobody can take all of them: a party can take one while it runs fewer than its
 * share times the free slots. So a single party leaves some free for the next, and the more organizations are busy, the
 * less each gets (the "dynamic threshold" of shared buffers in switches). Calls without a slot wait; a slot that
 * becomes free goes to the organization, and in it to the person, with the fewest running.
 */
export class FairShare {
  readonly #options: FairShareOptions
  readonly #monotonic: () => number
  readonly #running = new Map<string, number>()
  readonly #units = new Map<string, number>()
  readonly #waiting = new Set<Waiter>()
  #taken = 0

  constructor(options: FairShareOptions, monotonic: () => number) {
    this.#options = options
    this.#monotonic = monotonic
  }

  /** Runs `work` in a slot. Calls `refuse` for the error to throw if too many wait, or a slot took too long. */
  async run<T>(party: Party, units: number, work: () => Promise<T>, refuse: (why: Refusal) => Error): Promise<T> {
    if (!this.#mayStart(party)) await this.#wait(party, units, refuse)
    else this.#start(party)
    try {
      return await work()
    } finally {
      this.#end(party)
    }
  }

  /** How many run and wait. */
  get stats(): { running: number; waiting: number } {
    return { running: this.#taken, waiting: this.#waiting.size }
  }

  /** How long someone has waited while every slot was taken, in milliseconds; 0 while one is free. */
  get stalled(): number {
    if (this.#taken < this.#options.slots) return 0
    const [oldest] = this.#waiting
    return oldest ? this.#monotonic() - oldest.since : 0
  }

  #mayStart({ person, organization }: Party): boolean {
    const { slots, personShare, organizationShare } = this.#options
    const free = slots - this.#taken
    if (free <= 0 || count(this.#running, person) >= personShare * free) return false
    return organization === undefined || count(this.#running, organization) < organizationShare * free
  }

  #start(party: Party): void {
    this.#taken++
    for (const key of keysOf(party)) add(this.#running, key, 1)
  }

  #end(party: Party): void {
    this.#taken--
    for (const key of keysOf(party)) add(this.#running, key, -1)
    for (let next = this.#next(); next; next = this.#next()) next.start()
  }

  /** The waiting call that may start and whose party has the fewest running; the oldest of several. */
  #next(): Waiter | undefined {
    let best: Waiter | undefined
    for (const waiter of this.#waiting)
      if (this.#mayStart(waiter.party) && (!best || this.#load(waiter) < this.#load(best))) best = waiter
    return best
  }

  /** The organization's running calls count before the person's, of which there are never a thousand. */
  #load({ party: { person, organization } }: Waiter): number {
    const own = count(this.#running, person)
    return organization === undefined ? own : count(this.#running, organization) * 1000 + own
  }

  async #wait(party: Party, units: number, refuse: (why: Refusal) => Error): Promise<void> {
    const { person, organization } = party
    const { waiting, patience } = this.#options
    // someone with nothing in line may wait with a body of any size
    const isFull = (key: string, most: number) => count(this.#units, key) > 0 && count(this.#units, key) + units > most
    if (isFull(person, waiting.person) || (organization && isFull(organization, waiting.organization)))
      throw refuse('own share')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = () => {
      leave()
      this.#start(party)
      resolve()
    }
    const waiter = { party, units, since: this.#monotonic(), start }
    const timer = setTimeout(() => {
      leave()
      reject(refuse(keysOf(party).some((key) => count(this.#running, key) > 0) ? 'own share' : 'all taken'))
    }, patience)
    const leave = () => {
      clearTimeout(timer)
      this.#waiting.delete(waiter)
      for (const key of keysOf(party)) add(this.#units, key, -units)
    }
    this.#waiting.add(waiter)
    for (const key of keysOf(party)) add(this.#units, key, units)
    await promise
  }
}

const keysOf = ({ person, organization }: Party): string[] =>
  organization === undefined ? [person] : [person, organization]
const count = (counts: Map<string, number>, key: string): number => counts.get(key) ?? 0

function add(counts: Map<string, number>, key: string, by: number): void {
  const sum = count(counts, key) + by
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
}
