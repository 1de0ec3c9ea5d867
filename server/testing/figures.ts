import { randomUUIDv7 } from 'node:crypto'
import type { TestDatabase } from './database.ts'
import type { TestHome } from './people.ts'

/** The days of the packed months of one kind, as a table for queries: 0 and no `read` where a day has nothing. */
export const daysOfMonths = (kind: 'days' | 'gains' | 'posts') => `(
  select m.org_id, m.channel_id, m.name, m.month + n as day, substring(m.amounts from n * 8 + 1 for 8)::bigint as amount, substring(m.counts from n * 4 + 1 for 4)::int as count,
    nullif(substring(m.read from n * 4 + 1 for 4)::int, -2147483648) as read
  from figure_month m cross join lateral generate_series(0, 30) n where m.kind = '${kind}') days`

/** What channels' posts gained by day, whether or not it was added to its months yet, as a table for queries. */
export const gainedDays = `(
  select org_id, channel_id, day, name, amount as gain, nullif(count, 0) as readings from ${daysOfMonths('gains')} where amount <> 0 or count <> 0
  union all select org_id, channel_id, day, name, amount, n from figure_line where kind = 'gains') gained`

/** Builders of published posts and what platforms report about them and their channels, as the readings would store it. */
export function figuresOn({ owner }: Pick<TestDatabase, 'owner'>) {
  /** A post that was published at the instant. Returns its id. */
  async function published(
    home: Pick<TestHome, 'orgId' | 'projectId'> & { person: Pick<TestHome['person'], 'personId'> },
    channelId: string,
    at: string,
    {
      text = 'Hello there',
      postType = 'post',
      remoteId = randomUUIDv7(),
      assetIds = [],
    }: { text?: string; postType?: string; remoteId?: string | null; assetIds?: readonly string[] } = {},
  ): Promise<string> {
    const id = randomUUIDv7()
    await owner.query(
      `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, shown_at, published_at, remote_id, created_at, updated_at)
       values ($1, $2, $3, $4, $5, 'PUBLISHED', $9, $6, $7, '{"type":"NOW"}', 'Europe/London', $8, $8, $10, $8, $8)`,
      [
        home.orgId,
        id,
        home.projectId,
        channelId,
        home.person.personId,
        JSON.stringify([{ text, media: assetIds.map((assetId) => ({ assetId })) }]),
        text,
        at,
        postType,
        remoteId,
      ],
    )
    return id
  }

  /** A post that was published elsewhere on the channel at the instant, as an import stores it. Returns its id. */
  async function elsewhere(
    home: Pick<TestHome, 'orgId' | 'projectId'>,
    channelId: string,
    at: string,
    {
      text = 'Hello from the app',
      remoteId = randomUUIDv7(),
      hashtags = [],
    }: { text?: string; remoteId?: string; hashtags?: string[] } = {},
  ): Promise<string> {
    const id = randomUUIDv7()
    await owner.query(
      `insert into measured_post (org_id, id, project_id, channel_id, elsewhere, remote_id, post_type, published_at, shown_at, excerpt, permalink, picture_url, hashtags, found_at)
       values ($1, $2, $3, $4, true, $5, 'post', $6, $6, $7, $8, $9, hashtag_keys($3, $10), $6)`,
      [
        home.orgId,
        id,
        home.projectId,
        channelId,
        remoteId,
        at,
        text,
        `https://platform.example/${remoteId}`,
        `https://platform.example/${remoteId}.jpg`,
        hashtags,
      ],
    )
    return id
  }

  /**
   * A reading of a post's figures. With `since`, what the first one gained belongs to all
   * days since then, else to its own day.
   */
  async function reading(
    postId: string,
    readAt: string,
    figures: Record<string, number | null>,
    since: string | null = null,
  ): Promise<void> {
    await owner.query(
      `insert into post_metric (org_id, post_id, figures, read_at, since) select org_id, id, $3, $2, $4 from measured_post where id = $1
       on conflict (org_id, post_id, read_at) do update set figures = excluded.figures`,
      [postId, readAt, JSON.stringify(figures), since],
    )
  }

  /** What a channel's platform reported for a day, the day after unless it says otherwise. */
  async function channelDay(
    channelId: string,
    day: string,
    figures: Record<string, number>,
    readAt = new Date(Date.parse(`${day}T20:00:00Z`) + 86_400_000).toISOString(),
  ): Promise<void> {
    await owner.query(
      `insert into channel_figure (org_id, channel_id, day, name, value, read_at) select ch.org_id, ch.id, $2, f.key, f.value::bigint, $4 from channel ch cross join jsonb_each_text($3) f where ch.id = $1
       on conflict (org_id, channel_id, name, day) do update set value = excluded.value, read_at = excluded.read_at`,
      [channelId, day, JSON.stringify(figures), readAt],
    )
  }

  return { published, elsewhere, reading, channelDay }
}
