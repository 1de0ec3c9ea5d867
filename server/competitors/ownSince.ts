import { sql } from 'kysely'
import { IMPORTED_AT_FIRST } from '#contract/analytics/collecting.ts'
import type { Reader } from '../analytics/scope.ts'

/** Before any platform: of a channel whose list of posts was read to its end. */
const EVER = new Date(Date.UTC(2000, 0))

/**
 * Since when all posts of these channels are known: always, if the import found the whole list, else since the oldest post that was
 * found. Channels without any known post are missing.
 */
export async function readOwnSince(
  { tx, org }: Pick<Reader, 'tx' | 'org'>,
  channelIds: readonly string[],
): Promise<Map<string, Date>> {
  if (channelIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; is_whole: boolean; oldest: Date | null }>`
    select ch.id, coalesce(s.state = 'done' and s.imported < ${IMPORTED_AT_FIRST}, false) as is_whole,
      (select min(p.published_at) from measured_post p where p.org_id = ${org.orgId} and p.channel_id = ch.id) as oldest
    from unnest(${[...channelIds]}::uuid[]) ch(id) left join insight_sync s on s.org_id = ${org.orgId} and s.channel_id = ch.id and s.kind = 'posts'`.execute(
    tx,
  )
  return new Map(
    rows.flatMap(({ id, is_whole: isWhole, oldest }): [string, Date][] =>
      isWhole ? [[id, EVER]] : oldest ? [[id, oldest]] : [],
    ),
  )
}
