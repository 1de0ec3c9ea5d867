import type { Pool } from 'pg'
import type { contentOn } from '#server/testing/content.ts'
import type { TestHome } from '#server/testing/people.ts'

export type FilledInbox = { channels: string[]; labels: string[]; postId: string }

/**
 * `count` open conversations of two years on ten channels, as many closed ones, and so many items in each. Of the open ones, a
 * fifth are messages, a fifth mentions, and ten each are reviews and negative; the owner has read all but 50, and has most of
 * them. All closed ones are answered, and 20 are unread. Labels are on 0.1, 2 and 30 percent, and a post has 300.
 */
export async function fillInbox(
  owner: Pool,
  content: ReturnType<typeof contentOn>,
  home: TestHome,
  count: number,
  items: number,
): Promise<FilledInbox> {
  const { orgId, projectId, person } = home
  const channels: string[] = []
  for (let i = 0; i < 10; i++)
    channels.push(await content.channel(home, { platform: i === 9 ? 'mastodon' : 'bluesky' }))
  const { rows: made } = await owner.query<{ id: string }>(
    "insert into label (org_id, id, project_id, name, color, created_at) select $1, uuidv7(), $2, 'Label ' || n, 'blue', now() from generate_series(1, 3) n returning id",
    [orgId, projectId],
  )
  const labels = made.map(({ id }) => id)
  const { rows: posts } = await owner.query<{ id: string }>(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, created_at, updated_at)
     values ($1, uuidv7(), $2, $3, $4, 'PUBLISHED', 'post', '[]', '', '{"type":"NOW"}', 'UTC', now(), now(), now(), now()) returning id`,
    [orgId, projectId, channels[0], person.personId],
  )
  const postId = posts[0]?.id ?? ''
  const people = Math.max(10, count / 50)
  await owner.query(
    `insert into inbox_person (org_id, id, channel_id, remote_id, name, handle) select $1, uuidv7(), c.id, 'p' || n, 'Person ' || n, '@person' || n || '.example'
     from unnest($2::uuid[]) c(id), generate_series(1, $3::int) n`,
    [orgId, channels, people],
  )
  const tenth = count / 10
  await owner.query(
    `with people as materialized (select id, channel_id, row_number() over (partition by channel_id order by id) as nth from inbox_person where org_id = $1)
     insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, person_id, post_id, status, assignee_id, last_at, last_direction, preview, last_received_at,
       unanswered, waiting_since, answered, sentiment, sentiment_by, created_at)
     select $1, uuidv7(), $2, t.channel_id, t.kind, 't' || n, p.id, case when n % ($5::int / 300) = 1 then $7::uuid end, t.status,
       case when t.is_open and n % (2 * $5 / 20) <> 7 then $4::uuid end, t.at, case when t.is_open then 'received' else 'sent' end, 'The rooks come back to the old elms in autumn, don''t they?', t.at,
       t.is_open::int, case when t.is_open then t.at end, not t.is_open or n % 50 = 0, t.sentiment, case when t.sentiment is not null then 'words' end, t.at
     from generate_series(1, 2 * $5) n
     cross join lateral (
       select n % 2 = 0 as is_open, case n % 2 when 0 then 'OPEN' else 'CLOSED' end as status, ($3::uuid[])[1 + (n / 2) % 10] as channel_id, now() - n * interval '730 days' / (2 * $5) as at,
         case when n % (2 * $6::int) = 0 then 'review' when n / 2 % 5 = 0 then 'message' when n / 2 % 5 = 1 then 'mention' else 'comment' end as kind,
         case when n % (2 * $6) = 4 then 'negative' when n / 2 % 3 = 1 then 'positive' end as sentiment
     ) t
     join people p on p.channel_id = t.channel_id and p.nth = 1 + n % $8::int`,
    [orgId, projectId, channels, person.personId, count, tenth, postId, people],
  )
  await owner.query(
    `insert into inbox_item (org_id, id, conversation_id, channel_id, remote_id, type, direction, person_id, text, at, received_at)
     select c.org_id, uuidv7(), c.id, c.channel_id, c.thread_key || '-' || n, case c.kind when 'message' then 'DIRECT_MESSAGE' else 'COMMENT' end, case when n % 2 = 0 then 'sent' else 'received' end,
       case when n % 2 = 1 then c.person_id end, case when hashtext(c.id::text) % 200 = 0 and n = 1 then 'A heron among the rooks' else 'The rooks come back to the old elms' end, c.last_at - ($2::int - n) * interval '1 minute', c.last_at
     from conversation c, generate_series(1, $2) n where c.org_id = $1`,
    [orgId, items],
  )
  for (const [at, share] of [0.001, 0.02, 0.3].entries())
    await owner.query(
      'insert into conversation_label (org_id, conversation_id, label_id) select org_id, id, $2 from conversation where org_id = $1 and random() < $3',
      [orgId, labels[at], share],
    )
  await owner.query(
    `insert into conversation_read (org_id, person_id, conversation_id, up_to)
     select org_id, $2, id, last_at from conversation where org_id = $1
       and substr(thread_key, 2)::int % (2 * $3::int / 50) <> 8 and substr(thread_key, 2)::int % (2 * $3 / 20) <> 11`,
    [orgId, person.personId, count],
  )
  return { channels, labels, postId }
}
