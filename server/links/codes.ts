import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { SHORT_CODE_LENGTH, SHORT_CODE_SIGNS } from '#contract/links/shortCode.ts'
import type { Clock } from '../clock.ts'
import type { Tx } from '../db/kysely.ts'
import { asTenant } from '../db/tenant.ts'

/** The post that the links are in. */
type Place = { orgId: string; projectId: string; postId: string }

/** The codes of a post's shortened addresses. Made once per post and address, so every attempt sends the same text. */
export type ShortCodes = (place: Place, targets: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** How often a code that another post has already is drawn again. Never seen twice in 31^8. */
const DRAWS = 5

/** Reads codes, and makes those that are missing, in a transaction of their own: they're stored before anything is sent. */
export function shortCodes(pool: pg.Pool, clock: Pick<Clock, 'now'>): ShortCodes {
  return (place, targets) =>
    asTenant(pool, place.orgId, async (tx) => {
      let known = await readCodes(tx, place, targets)
      for (let draw = 0; draw < DRAWS && known.size < targets.length; draw++) {
        const missing = targets.filter((target) => !known.has(target))
        const rows = missing.map((url) => ({
          org_id: place.orgId,
          code: newCode(),
          project_id: place.projectId,
          post_id: place.postId,
          url,
          created_at: clock.now(),
        }))
        // the same address by another attempt, or the code of another post: read again
        await tx
          .insertInto('short_link')
          .values(rows)
          .onConflict((oc) => oc.doNothing())
          .execute()
        known = await readCodes(tx, place, targets)
      }
      if (known.size < targets.length) throw new Error('no short code was free')
      return known
    })
}

/** All codes of a post, by their addresses. */
export async function codesOf(tx: Tx, { orgId, postId }: Omit<Place, 'projectId'>): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('short_link')
    .select(['url', 'code'])
    .where('org_id', '=', orgId)
    .where('post_id', '=', postId)
    .execute()
  return new Map(rows.map(({ url, code }) => [url, code]))
}

async function readCodes(tx: Tx, { orgId, postId }: Place, targets: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ url: string; code: string }>`
    select url, code from short_link where org_id = ${orgId} and post_id = ${postId} and url = any(${[...targets]}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(({ url, code }) => [url, code]))
}

const newCode = (): string =>
  Array.from({ length: SHORT_CODE_LENGTH }, () => SHORT_CODE_SIGNS.charAt(randomInt(SHORT_CODE_SIGNS.length))).join('')
