import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import type { channelPicture } from '#contract/channels.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import type { Bytes, Context } from '../http/route.ts'
import { count, type Limit } from '../http/attempts.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { fetchAccountPicture } from '../media/accountPicture.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { seeChannel } from '../access/channels.ts'

/*
 * Pictures of connected accounts. A platform's server must not learn who works here: a job fetches the picture, once
 * when the account is connected and again when the daily check finds another URL. It's redrawn and served to members.
 */

const ADDRESS_MOST = 2_000

/** The URL of a picture if it may be fetched: https and of normal length, otherwise null. */
export const pictureSource = (url: string | null): string | null =>
  url !== null && url.startsWith('https://') && url.length <= ADDRESS_MOST && URL.canParse(url) ? url : null

const Picture = z.object({ orgId: z.string(), channelId: z.string() })
type Picture = z.output<typeof Picture>
const FETCH_PICTURE = 'channels.picture'

/** Pictures of channels fetched for one organization: each channel's changes at most once a day. */
const fetches = { name: 'channel-pictures', most: 1_000, seconds: 24 * 3600 } as const satisfies Limit

/**
 * Has the channel's picture fetched if its URL differs from the stored picture's; an account without a picture loses
 * the stored one. For the transaction that wrote `picture_url`.
 */
export async function renewPicture(tx: Tx, { orgId, channelId }: Picture): Promise<void> {
  const channel = await tx
    .selectFrom('channel as c')
    .leftJoin('channel_picture as p', (join) =>
      join.onRef('p.org_id', '=', 'c.org_id').onRef('p.channel_id', '=', 'c.id'),
    )
    .select(['c.picture_url as wanted', 'p.source_url as kept'])
    .where('c.org_id', '=', orgId)
    .where('c.id', '=', channelId)
    .executeTakeFirst()
  if (!channel || channel.wanted === channel.kept) return
  if (channel.wanted === null) await dropPicture(tx, { orgId, channelId })
  else await enqueue(tx, { name: FETCH_PICTURE }, { orgId, channelId }, { key: channelId })
}

/** Removes the stored picture, if there is one. */
export async function dropPicture(tx: Tx, { orgId, channelId }: Picture): Promise<void> {
  await tx
    .updateTable('channel')
    .set({ picture_id: null })
    .where('org_id', '=', orgId)
    .where('id', '=', channelId)
    .execute()
  await tx.deleteFrom('channel_picture').where('org_id', '=', orgId).where('channel_id', '=', channelId).execute()
}

/** Stores a drawn picture as the channel's, in place of the previous one. */
export async function keepPicture(
  tx: Tx,
  { orgId, channelId }: Picture,
  picture: { source: string; bytes: Buffer },
  now: Date,
): Promise<void> {
  const facts = { id: randomUUIDv7(), source_url: picture.source, bytes: picture.bytes, fetched_at: now }
  await tx
    .insertInto('channel_picture')
    .values({ org_id: orgId, channel_id: channelId, ...facts })
    .onConflict((conflict) => conflict.columns(['org_id', 'channel_id']).doUpdateSet(facts))
    .execute()
  await tx
    .updateTable('channel')
    .set({ picture_id: facts.id })
    .where('org_id', '=', orgId)
    .where('id', '=', channelId)
    .execute()
}

/** Fetches and stores one picture. On failure, the previous picture stays, and the next daily check tries again. */
export function pictureJob({ fetch }: { fetch: SafeFetch }): Job<Picture> {
  return defineJob({
    name: FETCH_PICTURE,
    payload: Picture,
    run: async ({ databases, clock, signal, log }, { orgId, channelId }) => {
      const find = (tx: Tx) =>
        tx
          .selectFrom('channel')
          .select(['picture_url', 'project_id'])
          .where('org_id', '=', orgId)
          .where('id', '=', channelId)
          .where('deleted_at', 'is', null)
      const before = await asTenant(databases.background, orgId, (tx) => find(tx).executeTakeFirst())
      const source = pictureSource(before?.picture_url ?? null)
      if (source === null) return
      const { allowed } = await asSystem(databases.system, (tx) => count(tx, fetches, orgId, clock.now()))
      if (!allowed) return log.warn({ orgId }, 'one organization reached its daily limit for channel pictures')
      const bytes = await fetchAccountPicture(fetch, source, orgId, { signal })
      if (!bytes) return
      await asTenant(databases.background, orgId, async (tx) => {
        const channel = await find(tx).forUpdate().executeTakeFirst()
        // deleted in the meantime, or another picture by now, which has a job of its own
        if (channel?.picture_url !== source) return
        await keepPicture(tx, { orgId, channelId }, { source, bytes }, clock.now())
        await emit(tx, { orgId, projectId: channel.project_id, kind: 'channel', ref: channelId }, clock.now())
      })
    },
  })
}

/** Headers of a picture that the server drew itself. */
export const pictureHeaders = (caching: string): Record<string, string> => ({
  'content-disposition': 'inline; filename="picture.webp"',
  'cache-control': caching,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
})

/** The stored picture of a channel in the caller's role. Throws NOT_FOUND. */
export async function sendPicture(c: Context<typeof channelPicture>): Promise<Bytes> {
  const channel = await seeChannel(c, c.params.channelId)
  const kept = await c.tx
    .selectFrom('channel_picture')
    .select(['id', 'bytes'])
    .where('org_id', '=', channel.org_id)
    .where('channel_id', '=', channel.id)
    .executeTakeFirst()
  if (!kept) throw fail('NOT_FOUND')
  // an earlier URL shows the current picture, which may not be cached under it
  const isCurrent = c.query.of !== undefined && kept.id.endsWith(c.query.of)
  return {
    bytes: kept.bytes,
    contentType: 'image/webp',
    length: kept.bytes.length,
    headers: pictureHeaders(isCurrent ? 'private, max-age=31536000, immutable' : 'private, no-cache'),
  }
}
