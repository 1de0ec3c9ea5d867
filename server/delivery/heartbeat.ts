import { randomUUIDv7 } from 'node:crypto'
import { hostname } from 'node:os'
import type pg from 'pg'
import type { Clock } from '../clock.ts'
import { LivenessMonitor, type Beat } from '../jobs/livenessMonitor.ts'
import type { Log } from '../log.ts'
import { leaseFor, type Lease } from './guard.ts'
import type { PublishingOptions } from './options.ts'

/*
 * Nodes show each other that they're alive through a row that changes (jobs/livenessMonitor.ts). The other half of
 * the rule: a node whose last heartbeat is older than `rescueAfter` may have been given up by the others and must not
 * send.
 */

type BeatReply = { clock_now: Date }

const REGISTER = "insert into node (id, started_at, seen_at, role, host) values ($1, $2, $2, 'publishing', $3)"
const BEAT =
  "update node set seen_at = greatest($2, seen_at + interval '1 microsecond') where id = $1 returning clock_timestamp() as clock_now"
const ALIVE = 'update instance set alive_at = greatest(alive_at, $1)'

export class Heartbeat {
  readonly #pool: pg.Pool
  readonly #clock: Clock
  readonly #options: PublishingOptions
  readonly #log: Log
  readonly #repeatable: readonly string[]
  readonly #monitor: LivenessMonitor
  #id = randomUUIDv7()
  #alive: Lease = { wall: 0, monotonic: 0 }
  #timers: NodeJS.Timeout[] = []
  #clockIsOff = false
  #beating: Promise<void> = Promise.resolve()
  /** Posts taken over from dead nodes since startup. */
  rescued = 0

  /** `repeatable` names the platforms on which our own key makes a second send harmless. */
  constructor(pool: pg.Pool, clock: Clock, options: PublishingOptions, log: Log, repeatable: readonly string[]) {
    this.#repeatable = repeatable
    this.#pool = pool
    this.#clock = clock
    this.#options = options
    this.#monitor = new LivenessMonitor(options.rescueAfter)
    this.#log = log
  }

  get id(): string {
    return this.#id
  }

  /** Until when the others count this node as alive. */
  get alive(): Lease {
    return this.#alive
  }

  /** Whether this node may claim: the others know it's alive, and its clock agrees with the database's. */
  get fit(): boolean {
    return (
      !this.#clockIsOff &&
      this.#clock.monotonic() < this.#alive.monotonic - this.#options.heartbeat / 2 &&
      this.#clock.now().getTime() < this.#alive.wall
    )
  }

  async start(): Promise<void> {
    await this.#register()
    const quietly = (work: () => Promise<void>) => () => {
      this.#beating = this.#beating
        .then(work)
        .catch((error: unknown) =>
          this.#log.warn({ err: error }, 'a heartbeat of publishing did not reach the database'),
        )
    }
    this.#timers = [
      setInterval(
        quietly(() => this.beat()),
        this.#options.heartbeat,
      ),
      setInterval(
        quietly(() => this.rescueTheDead()),
        this.#options.rescueEvery,
      ),
    ]
  }

  /** Records that this node holds nothing anymore. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    await this.#beating
    await this.#pool.query(
      'delete from node where id = $1 and not exists (select from attempt where node_id = $1 and finished_at is null)',
      [this.#id],
    )
  }

  async #register(): Promise<void> {
    const lease = leaseFor(this.#clock, this.#options.rescueAfter)
    await this.#pool.query(REGISTER, [this.#id, this.#clock.now(), hostname()])
    this.#alive = lease
    await this.beat()
  }

  /** One heartbeat. A node whose row is gone was given up: it registers as a new one, and its old claims are void. */
  async beat(): Promise<void> {
    const lease = leaseFor(this.#clock, this.#options.rescueAfter)
    const asked = this.#clock.now().getTime()
    const { rows } = await this.#pool.query<BeatReply>({
      name: 'publishing beat',
      text: BEAT,
      values: [this.#id, this.#clock.now()],
    })
    const [row] = rows
    if (!row) {
      this.#log.warn({ nodeId: this.#id }, 'this node was given up by the others, and starts over')
      this.#alive = { wall: 0, monotonic: 0 }
      this.#id = randomUUIDv7()
      return await this.#register()
    }
    this.#alive = lease
    this.#compareClocks(row.clock_now.getTime(), asked)
    await this.#pool.query({ name: 'publishing alive', text: ALIVE, values: [this.#clock.now()] })
  }

  #compareClocks(theirs: number, asked: number): void {
    const { clockTolerance } = this.#options
    if (clockTolerance === 0) return
    const answered = this.#clock.now().getTime()
    const off = Math.max(asked - theirs, theirs - answered, 0)
    const wasOff = this.#clockIsOff
    this.#clockIsOff = off > clockTolerance
    if (this.#clockIsOff && !wasOff)
      this.#log.error(
        { milliseconds: off },
        "this machine's clock differs from the database's: it publishes nothing until it is set right",
      )
  }

  /** Checks all heartbeats and takes over the posts of nodes whose heartbeat stopped. */
  async rescueTheDead(): Promise<void> {
    const { rows } = await this.#pool.query<Beat>({
      name: 'publishing nodes',
      text: "select id, seen_at::text as sign from node where role = 'publishing'",
    })
    for (const id of this.#monitor.observe(rows, this.#clock.monotonic())) if (id !== this.#id) await this.#rescue(id)
  }

  /** Takes over the posts of every node. Only when none can be alive, and before this one registers. */
  async rescueAll(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string }>("select id from node where role = 'publishing'")
    for (const { id } of rows) await this.#rescue(id)
  }

  async #rescue(id: string): Promise<void> {
    const { rows } = await this.#pool.query<{ posts: number }>('select take_back($1, $2, $3, false, $4) as posts', [
      this.#clock.now(),
      id,
      [],
      this.#repeatable,
    ])
    await this.#pool.query('delete from node where id = $1', [id])
    const posts = rows[0]?.posts ?? 0
    this.rescued += posts
    this.#log.warn({ nodeId: id, posts }, 'the posts of a dead node were taken over')
  }

  /** After a claim whose answer was lost: no work on it had started, so it returns to its step. */
  async giveBack(known: readonly string[]): Promise<number> {
    const { rows } = await this.#pool.query<{ posts: number }>('select take_back($1, $2, $3, true, $4) as posts', [
      this.#clock.now(),
      this.#id,
      known,
      this.#repeatable,
    ])
    return rows[0]?.posts ?? 0
  }
}
