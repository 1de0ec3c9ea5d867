import { sql } from 'kysely'
import { HASHTAG_DAYS, MOST_HASHTAGS } from '#contract/analytics/hashtags.ts'
import { allows } from '#contract/permissions.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { CallerProject } from '../http/route.ts'

/* Which hashtags a channel asked for. The platform counts how many different ones there are in 7 days, and so do we, before asking. */

type Asker = { tx: Tx; org: { orgId: string }; now: Date }

const DAY = 86_400_000
/** IDs of hashtags are remembered for so many days after the last count. */
const KEPT_DAYS = 90
const counting = (now: Date): Date => new Date(now.getTime() - HASHTAG_DAYS * DAY)

/**
 * Counts the hashtag, unless it's counted already: then it costs nothing, and its 7 days don't start over. `limit` if it would be one
 * too many. With its ID if that is known, and whether this call counted it. FORBIDDEN for one that would be counted, without
 * `insights: create`.
 */
export async function claimHashtag(
  { tx, org, project, now }: Asker & { project: Pick<CallerProject, 'permissions'> },
  channelId: string,
  hashtag: string,
): Promise<{ kind: 'claimed'; remoteId: string | null; isNew: boolean } | { kind: 'limit' }> {
  // one at a time, so that the limit holds
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hashtags ${channelId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ hashtag: string; remote_id: string | null; counts: boolean }>`
    select hashtag, remote_id, counted_at > ${counting(now)} as counts from hashtag_search
    where org_id = ${org.orgId} and channel_id = ${channelId} and (counted_at > ${counting(now)} or hashtag = ${hashtag})`.execute(
    tx,
  )
  const known = rows.find((row) => row.hashtag === hashtag)
  const remoteId = known?.remote_id ?? null
  if (known?.counts) return { kind: 'claimed', remoteId, isNew: false }
  if (!allows(project.permissions, 'insights', 'create'))
    throw fail('FORBIDDEN', {
      detail: `Your role can show hashtags that this channel searched for in the last ${HASHTAG_DAYS} days, and no new ones.`,
    })
  if (rows.filter(({ counts }) => counts).length >= MOST_HASHTAGS) return { kind: 'limit' }
  await sql`
    insert into hashtag_search (org_id, channel_id, hashtag, counted_at) values (${org.orgId}, ${channelId}, ${hashtag}, ${now})
    on conflict (org_id, channel_id, hashtag) do update set counted_at = excluded.counted_at`.execute(tx)
  await sql`
    delete from hashtag_search where org_id = ${org.orgId} and channel_id = ${channelId} and counted_at < ${new Date(now.getTime() - KEPT_DAYS * DAY)}`.execute(
    tx,
  )
  return { kind: 'claimed', remoteId, isNew: true }
}

/** Keeps the platform's ID of a hashtag. */
export async function rememberHashtag(
  { tx, org }: Pick<Asker, 'tx' | 'org'>,
  { channelId, hashtag, remoteId }: { channelId: string; hashtag: string; remoteId: string },
): Promise<void> {
  await tx
    .updateTable('hashtag_search')
    .set({ remote_id: remoteId })
    .where('org_id', '=', org.orgId)
    .where('channel_id', '=', channelId)
    .where('hashtag', '=', hashtag)
    .execute()
}

/** Takes back what was just counted for a hashtag that the platform wasn't asked for. */
export async function releaseHashtag({ tx, org, now }: Asker, channelId: string, hashtag: string): Promise<void> {
  await tx
    .deleteFrom('hashtag_search')
    .where('org_id', '=', org.orgId)
    .where('channel_id', '=', channelId)
    .where('hashtag', '=', hashtag)
    .where('counted_at', '>', counting(now))
    .where('remote_id', 'is', null)
    .execute()
}

/** What a channel asked for in the last 7 days, first what is free next. */
export async function usedHashtags({ tx, org, now }: Asker, channelId: string) {
  const rows = await tx
    .selectFrom('hashtag_search')
    .select(['hashtag', 'counted_at'])
    .where('org_id', '=', org.orgId)
    .where('channel_id', '=', channelId)
    .where('counted_at', '>', counting(now))
    .orderBy('counted_at')
    .orderBy('hashtag')
    .execute()
  const hashtags = rows.map((row) => ({
    hashtag: row.hashtag,
    until: new Date(row.counted_at.getTime() + HASHTAG_DAYS * DAY).toISOString(),
  }))
  return { hashtags, most: MOST_HASHTAGS }
}
