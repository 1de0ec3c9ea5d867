import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EndpointShape } from '#contract/endpoint.ts'
import type { Tx } from '../db/kysely.ts'
import { queryWithCommit } from '../db/transaction.ts'
import { fail } from '../errors.ts'
import type { Grant } from './access.ts'

const replayed = new WeakSet<object>()
/** Whether the reply is a stored one, from an earlier request. */
export const isReplayed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && replayed.has(value)

const Key = z.string().regex(/^[\x21-\x7e]{1,200}$/)

/**
 * Runs a request once per Idempotency-Key: the same key and body return the first reply, also to simultaneous requests
 * (they wait for the first one's transaction). A failed request leaves no trace. Without the header, it just runs.
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
  const row = {
    org_id: grant.org.orgId,
    key: key.data,
    endpoint: where,
    body_hash: bodyHash,
    status: 0,
    reply: 'null',
    created_at: now,
  }
  // waits here while another transaction holds the same key
  const claimed = await tx
    .insertInto('idempotency')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!claimed) {
    const first = await tx
      .selectFrom('idempotency')
      .select(['body_hash', 'status', 'reply'])
      .where('org_id', '=', row.org_id)
      .where('endpoint', '=', where)
      .where('key', '=', key.data)
      .executeTakeFirst()
    if (!first || first.status === 0) throw fail('IDEMPOTENCY_IN_PROGRESS')
    if (!first.body_hash.equals(bodyHash)) throw fail('IDEMPOTENCY_MISMATCH')
    if (typeof first.reply === 'object' && first.reply !== null) replayed.add(first.reply)
    return first.reply
  }
  const value = await run()
  // with the commit: nothing in this transaction reads it
  queryWithCommit(tx, {
    name: 'replied',
    insert: sql`update idempotency set status = 200, reply = ${JSON.stringify(value)}
      where org_id = ${row.org_id} and endpoint = ${where} and key = ${key.data}`,
  })
  return value
}
