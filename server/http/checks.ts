import type pg from 'pg'
import { z } from 'zod'
import type { Revisioned } from '#contract/endpoint.ts'
import { entranceKey, type EntryIds } from '../db/tenant.ts'
import { inOneTrip } from '../db/transaction.ts'
import { kindsOf, MOST_EVENTS, PLACE_NOW, type ProjectEvent } from './revision.ts'

/** How many checks may be at the database at once. */
const AT_ONCE = 2
/** How many requests may wait for the next one. Others are answered without a check. */
const MOST_WAITING = 200

/** What a request wants to know of the moment: whether its caller may still enter, and what is new. */
export type Question = {
  ids: EntryIds
  /** The project's events from this transaction on, of what the reply is made from. */
  since?: string
  what?: Revisioned
  /** The stamp of this post. */
  postId?: string
}

/** What was true when it was asked: after the request arrived. */
export type Checked = {
  /** What enter() returns. */
  entered: string | null
  /** The database's position, as `xid.history`. */
  place: string
  /** The project's events from `since` on, or from earlier; undefined if there are too many. */
  events: readonly ProjectEvent[] | undefined
  /** The stamps of the requested posts. */
  stamps: ReadonlyMap<string, string>
}

const CHECK = `select ${PLACE_NOW} as place, c.entered, c.events, c.stamps
  from reply_checks($1::bytea[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7, $8) c`

type Waiting = {
  ids: EntryIds
  since: string | undefined
  kinds: Set<string>
  posts: Set<string>
  resolve: (checked: Checked | undefined) => void
  promise: Promise<Checked | undefined>
}

const Row = z.object({
  place: z.string(),
  entered: z.string().nullable(),
  events: z.string().nullable(),
  stamps: z.string().nullable(),
})
const Events = z.array(z.tuple([z.string(), z.string(), z.string()]))
const Stamps = z.record(z.string(), z.string()).nullable()

/** As PostgreSQL reads an array of words or IDs. */
const arrayOf = (words: ReadonlySet<string>): string => `{${[...words].join()}}`

/**
 * Checks whether earlier replies are still valid. Requests that arrive while checks are running share the next one,
 * regardless of their callers: under load, one statement serves many requests. Each check begins after its requests
 * arrived, so none is judged by an outdated state.
 */
export class Checks {
  readonly #pool: pg.Pool
  readonly #now: () => Date
  #waiting = new Map<string, Waiting>()
  #requests = 0
  #running = 0

  constructor(pool: pg.Pool, now: () => Date) {
    this.#pool = pool
    this.#now = now
  }

  /** Undefined if too many wait, or the database didn't answer. Never rejects. */
  ask({ ids, since, what, postId }: Question): Promise<Checked | undefined> {
    if (this.#requests >= MOST_WAITING) return Promise.resolve(undefined)
    this.#requests += 1
    const key = entranceKey(ids)
    let waiting = this.#waiting.get(key)
    if (!waiting) {
      waiting = {
        ids,
        since: undefined,
        kinds: new Set(),
        posts: new Set(),
        ...Promise.withResolvers<Checked | undefined>(),
      }
      this.#waiting.set(key, waiting)
    }
    if (since !== undefined && (waiting.since === undefined || BigInt(since) < BigInt(waiting.since)))
      waiting.since = since
    for (const kind of what ? kindsOf(what) : []) waiting.kinds.add(kind)
    if (postId !== undefined) waiting.posts.add(postId)
    // requests that arrived in one packet go together
    if (this.#requests === 1) setImmediate(() => this.#next())
    return waiting.promise
  }

  #next(): void {
    if (this.#running >= AT_ONCE || this.#waiting.size === 0) return
    const all = [...this.#waiting.values()]
    this.#waiting = new Map()
    this.#requests = 0
    void this.#runAll(all)
  }

  async #runAll(all: readonly Waiting[]): Promise<void> {
    this.#running += 1
    let answers: readonly Checked[] = []
    try {
      answers = await this.#run(all)
    } catch {
      // its requests are answered as if nothing had been held, and meet the same error
    }
    this.#running -= 1
    for (const [i, { resolve }] of all.entries()) resolve(answers[i])
    this.#next()
  }

  async #run(all: readonly Waiting[]): Promise<Checked[]> {
    const each = <T>(of: (waiting: Waiting) => T) => all.map(of)
    const values = [
      each(({ ids }) => ids.tokenHash),
      each(({ ids }) => ids.orgId),
      each(({ ids }) => ids.projectId),
      each(({ since }) => since),
      each(({ kinds }) => arrayOf(kinds)),
      each(({ posts }) => (posts.size > 0 ? arrayOf(posts) : null)),
      this.#now(),
      MOST_EVENTS + 1,
    ]
    const [rows] = await inOneTrip(this.#pool, [{ text: CHECK, values }])
    return (rows ?? []).map((row) => {
      const { place, entered, events, stamps } = Row.parse(row)
      const list =
        events === null
          ? []
          : Events.parse(JSON.parse(events)).map(([xid, id, kind]) => ({ xid: BigInt(xid), id, kind }))
      return {
        place,
        entered,
        events: list.length > MOST_EVENTS ? undefined : list,
        stamps: new Map(Object.entries(Stamps.parse(JSON.parse(stamps ?? 'null')) ?? {})),
      }
    })
  }
}
