import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { Tx } from '../db/kysely.ts'
import { queryWithCommit, sendAhead } from '../db/transaction.ts'
import { fail } from '../errors.ts'
import type { Grant } from './access.ts'

/** Thrown to undo a request's transaction because an earlier request with its key was answered: with this reply. */
class Replay extends Error {
  readonly reply: unknown
  constructor(reply: unknown) {
    super('this request was answered before')
    this.reply = reply
  }
}

/** The reply of the earlier request that `once` found; any other error is thrown on. */
export function replayOf(thrown: unknown): unknown {
  if (thrown instanceof Replay) return thrown.reply
  throw thrown
}

const Key = z.string().regex(/^[\x21-\x7e]{1,200}$/)

/**
 * Runs a request once per Idempotency-Key: the same key and body return the first reply, also to simultaneous requests
 * (they wait for the first one's transaction). A failed request leaves no trace. Without the header, it just runs.
 *
 * `run` doesn't wait to hear whether there was an earlier request: PostgreSQL runs its statements only after that. If
 * there was one, what `run` did or threw is dropped, see `replayOf`.
 */
export async function once(
  tx: Tx,
  endpoint: EndpointShape,
  request: FastifyRequest,
  grant: Grant,
  now: Date,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const header = request.headers['idempotency-key']
  if (header === undefined) return await run()
  const key = Key.safeParse(header)
  if (!key.success || !grant.org)
    throw fail('BAD_INPUT', { errors: { 'Idempotency-Key': ['1 to 200 printable characters'] } })
  // a key belongs to the person and the URL it was used with
  const where = createHash('sha256')
    .update(`${endpoint.method} ${request.url} ${grant.caller?.personId}`)
    .digest('base64url')
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(request.body ?? null))
    .digest()
  const [first, outcome] = await Promise.allSettled([earlierReply(tx, where, key.data), run()])
  if (first.status === 'rejected') throw first.reason
  if (first.value) {
    if (!first.value.body_hash.equals(bodyHash)) throw fail('IDEMPOTENCY_MISMATCH')
    throw new Replay(first.value.reply)
  }
  if (outcome.status === 'rejected') throw outcome.reason
  const { value } = outcome
  // with the commit: nothing in this transaction reads it
  queryWithCommit(tx, {
    name: 'replied',
    insert: sql`insert into idempotency (org_id, key, endpoint, body_hash, status, reply, created_at)
      values (${grant.org.orgId}, ${key.data}, ${where}, ${bodyHash}, 200, ${JSON.stringify(value)}, ${now})`,
  })
  return value
}

/** Waits while another transaction holds the same key. */
async function earlierReply(tx: Tx, where: string, key: string): Promise<{ body_hash: Buffer; reply: unknown } | null> {
  const [row] = await sendAhead(
    tx,
    sql<{ body_hash: Buffer | null; reply: unknown }>`select * from earlier_reply(${where}, ${key})`,
  )
  return row?.body_hash ? { body_hash: row.body_hash, reply: row.reply } : null
}
