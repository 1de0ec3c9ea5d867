import type pg from 'pg'
import { sql } from 'kysely'
import type { StoredReason } from '#contract/failures/define.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { TimelineEntry } from '#contract/posts.ts'
import type { PostState } from '#contract/postStates.ts'
import type { TimelineDetail } from '#contract/timeline.ts'
import type { Tx } from '../db/kysely.ts'
import { statementName } from '../db/statements.ts'
import { asSystem } from '../db/system.ts'
import type { PublishStep } from '../platforms/platform.ts'
import { backoff, isPassing, pause } from './backoff.ts'
import type { PublishingOptions } from './options.ts'
import type { NewPart, PartDone } from './parts.ts'

/** What came of an attempt, as write_outcomes() takes it. Undefined leaves a column as it is, null empties it. */
export type Outcome = {
  org_id: string
  project_id: string
  post_id: string
  channel_id: string
  attempt_id: string
  started_at: Date
  fence: number
  /** The machine lets go of the post: its lane is given back and its fence raised. */
  ends: boolean
  state: PostState
  step: PublishStep | null
  step_at: Date | null
  tries: number
  progress?: Record<string, unknown>
  remote_id?: string
  permalink?: string
  sent_at?: Date
  published_at?: Date
  failure: PostFailure | null
  warning?: readonly StoredReason[]
  absent_at: Date | null
  /** A word for the attempt's row. */
  outcome: string
  exchange: readonly Exchange[]
  /** Whether open screens should look again. */
  shows: boolean
  events: readonly { id: string; kind: TimelineEntry['kind']; at: Date; detail: TimelineDetail | null }[]
  /** Budgets that the platform closed, and until when. */
  closes: readonly string[]
  closed_until?: Date
  /** What is to follow the post, written once, with its acknowledgement. */
  parts?: readonly NewPart[]
  /** The part that is worked on next; null for none. */
  part: string | null
  parts_at?: Date
  /** What became of a part. */
  part_done?: PartDone
}

/** One request of an attempt, without anything that could be a secret. */
export type Exchange = { method: string; url: string; answer: string; ms: number }

/** What else the same commit does when the outcome is accepted: notices, a channel's status. */
export type Alongside = (tx: Tx) => Promise<void>

type Waiting = { outcome: Outcome; alongside: Alongside | undefined; resolve: (accepted: boolean) => void }

const WRITE = 'select attempt_id from write_outcomes($1, $2)'

/**
 * Writes outcomes, many in one durable commit: when a batch is full, or a few milliseconds after its first one. A
 * database that is away is waited for; the fence decides whether the write still means anything when it is back.
 */
export class OutcomeWriter {
  readonly #pool: pg.Pool
  readonly #options: PublishingOptions
  readonly #now: () => Date
  readonly #onTrouble: (error: unknown) => void
  #queue: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #flushing = 0

  constructor(pool: pg.Pool, options: PublishingOptions, now: () => Date, onTrouble: (error: unknown) => void) {
    this.#pool = pool
    this.#options = options
    this.#now = now
    this.#onTrouble = onTrouble
  }

  /** Answers once it is durable: true, or false when the post belongs to somebody else by now. */
  write(outcome: Outcome, alongside?: Alongside): Promise<boolean> {
    return new Promise((resolve) => {
      this.#queue.push({ outcome, alongside, resolve })
      if (this.#queue.length >= this.#options.batch.size) this.#flush()
      else this.#timer ??= setTimeout(() => this.#flush(), this.#options.batch.wait)
    })
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // two commits at a time: one on its way to the disk while the next one gathers
    if (this.#flushing < 2 && this.#queue.length > 0)
      void this.#flushBatch(this.#queue.splice(0, this.#options.batch.size))
  }

  async #flushBatch(batch: readonly Waiting[]): Promise<void> {
    this.#flushing += 1
    const accepted = await this.#commit(batch)
    this.#flushing -= 1
    for (const { outcome, resolve } of batch) resolve(accepted.has(outcome.attempt_id))
    if (this.#queue.length > 0) this.#flush()
  }

  /** Repeated until the database takes it. A batch that it refuses is taken apart, so that one bad row stops no other. */
  async #commit(batch: readonly Waiting[]): Promise<Set<string>> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.#writeOnce(batch)
      } catch (error) {
        this.#onTrouble(error)
        if (!isPassing(error) && tries >= 3) {
          if (batch.length === 1) return new Set()
          const parts = await Promise.all(batch.map((one) => this.#commit([one])))
          return new Set(parts.flatMap((part) => [...part]))
        }
        await pause(backoff(20, tries, 1000))
      }
    }
  }

  async #writeOnce(batch: readonly Waiting[]): Promise<Set<string>> {
    const outcomes = batch.map(({ outcome }) => outcome)
    const rows = this.#options.guards.fence ? outcomes : await this.#withFencesOfToday(outcomes)
    const now = this.#now()
    if (batch.every(({ alongside }) => alongside === undefined)) {
      const { rows: accepted } = await this.#pool.query<{ attempt_id: string }>({
        name: statementName(WRITE),
        text: WRITE,
        values: [now, JSON.stringify(rows)],
      })
      return new Set(accepted.map((row) => row.attempt_id))
    }
    return await asSystem(this.#pool, async (tx) => {
      const written = await sql<{
        attempt_id: string
      }>`select attempt_id from write_outcomes(${now}, ${JSON.stringify(rows)})`.execute(tx)
      const accepted = new Set(written.rows.map((row) => row.attempt_id))
      for (const { outcome, alongside } of batch) if (alongside && accepted.has(outcome.attempt_id)) await alongside(tx)
      return accepted
    })
  }

  /** The guard switched off, for the test that shows what it is for. */
  async #withFencesOfToday(outcomes: readonly Outcome[]): Promise<Outcome[]> {
    const { rows } = await this.#pool.query<{ id: string; fence: number }>(
      'select id, fence from post where id = any($1)',
      [outcomes.map((outcome) => outcome.post_id)],
    )
    const fences = new Map(rows.map((row) => [row.id, row.fence]))
    return outcomes.map((outcome) => ({ ...outcome, fence: fences.get(outcome.post_id) ?? outcome.fence }))
  }
}
