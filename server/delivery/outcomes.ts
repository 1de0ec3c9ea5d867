import { randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import { sql } from 'kysely'
import { statementName } from '../db/statements.ts'
import { asSystem } from '../db/system.ts'
import { backoff, isPassing, pause } from './backoff.ts'
import type { Claimed } from './claim.ts'
import type { Alongside, Decision, SubjectChange } from './decision.ts'
import type { PublishingOptions } from './options.ts'
import type { SubjectKind } from './steps.ts'

/** The result of an attempt as write_outcomes() takes it: the changes to the delivery and to its subject. */
export type Outcome = Omit<Decision, 'kind' | 'reason' | 'permalink' | 'warning'> & {
  org_id: string
  subject: SubjectKind
  subject_id: string
  key: string
  channel_id: string
  attempt_id: string
  started_at: Date
  fence: number
  exchange: readonly Exchange[]
  change: SubjectChange
}

export function outcomeOf(
  claimed: Claimed,
  { kind: _kind, reason: _reason, permalink: _permalink, warning: _warning, ...written }: Decision,
  change: SubjectChange,
  exchange: readonly Exchange[],
): Outcome {
  return {
    org_id: claimed.org_id,
    subject: claimed.subject,
    subject_id: claimed.subject_id,
    key: claimed.key,
    channel_id: claimed.channel_id,
    attempt_id: claimed.attempt_id ?? randomUUIDv7(),
    started_at: claimed.started_at,
    fence: claimed.fence,
    exchange,
    change,
    ...written,
  }
}

/** One request of an attempt, without anything that could be a secret. */
export type Exchange = { method: string; url: string; answer: string; ms: number }

type Waiting = { outcome: Outcome; alongside: Alongside | undefined; resolve: (accepted: boolean) => void }

const WRITE = 'select attempt_id from write_outcomes($1, $2)'

/**
 * Writes outcomes, many in one durable commit: when a batch is full, or a few milliseconds after its first one. Waits
 * for an unavailable database; the fence decides whether the write is still valid when it's back.
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

  /** Resolves once it's durable: true, or false when the delivery belongs to another worker by now. */
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
    // two commits at a time: one is being written while the next one fills
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

  /** Repeats until the database accepts it. A rejected batch is split, so that one bad row blocks no other. */
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

  /** Switches the guard off, for the test that shows what it's for. */
  async #withFencesOfToday(outcomes: readonly Outcome[]): Promise<Outcome[]> {
    const { rows } = await this.#pool.query<{ subject_id: string; key: string; fence: number }>(
      'select subject_id, key, fence from delivery where subject_id = any($1)',
      [outcomes.map((outcome) => outcome.subject_id)],
    )
    const fences = new Map(rows.map((row) => [`${row.subject_id}/${row.key}`, row.fence]))
    return outcomes.map((outcome) => ({
      ...outcome,
      fence: fences.get(`${outcome.subject_id}/${outcome.key}`) ?? outcome.fence,
    }))
  }
}
