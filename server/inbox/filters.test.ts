import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listConversations } from '#contract/inbox/conversations.ts'
import { systemRoles } from '#contract/permissions.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import type { InboxReader } from './access.ts'
import { foldInboxCounts } from './foldCounts.ts'
import { inOrder, pageQuery } from './list.ts'

/*
 * Lists of a project with many conversations that pass few filters, and a few of every sort that pass them. Each list is
 * compared with what the filters mean, and looks at few rows to find its first page.
 */
const MANY = 12_000
const SORTED = 480

let app: TestApp
let home: TestHome
let channels: string[]
let other: string
const post = '0190a000-0000-7000-8000-00000000aaaa'
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform(), mastodon: testPlatform() } })
  home = await app.signedInOwner()
  other = (await app.colleague(home, 'editor')).personId
  const content = contentOn(app.parts)
  channels = [
    await content.channel(home),
    await content.channel(home),
    await content.channel(home, { platform: 'mastodon' }),
  ]
  await app.database.owner.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, 'PUBLISHED', 'post', '[]', '', '{"type":"NOW"}', 'UTC', now(), now(), now(), now())`,
    [home.orgId, post, home.projectId, channels[0], home.person.personId],
  )
  // the many are new and all alike: open comments that are positive, assigned, unanswered, and read; or closed ones
  await fill(
    MANY,
    `case n % 2 when 0 then 'OPEN' else 'CLOSED' end`,
    `'comment'`,
    `'positive'`,
    `$4::uuid`,
    `false`,
    `($3::uuid[])[1 + n % 2]`,
    `null::uuid`,
    '0 days',
  )
  // the others have every mix of it
  await fill(
    SORTED,
    `(array['OPEN', 'FOLLOWUP', 'CLOSED'])[1 + n % 3]`,
    `(array['comment', 'message', 'mention', 'review'])[1 + (n / 3) % 4]`,
    `(array[null, 'positive', 'neutral', 'negative'])[1 + (n / 12) % 4]`,
    `(array[null, $4::uuid, $5::uuid])[1 + (n / 5) % 3]`,
    `(n / 48) % 2 = 0`,
    `($3::uuid[])[1 + (n / 7) % 3]`,
    `case when n % 11 = 0 then $6::uuid end`,
    '30 days',
  )
  await app.database.owner.query(
    `insert into conversation_read (org_id, person_id, conversation_id, up_to) select org_id, $2, id, last_at from conversation where org_id = $1 and (thread_key like '${MANY}-%' or right(thread_key, 1) in ('1', '2', '3', '7'))`,
    [home.orgId, home.person.personId],
  )
  await foldInboxCounts({ databases: app.parts.databases, signal: new AbortController().signal })
  await app.database.owner.query('vacuum analyze')
})
afterAll(() => app.close())

async function fill(
  count: number,
  status: string,
  kind: string,
  sentiment: string,
  assignee: string,
  answered: string,
  channel: string,
  about: string,
  ago: string,
): Promise<void> {
  await app.database.owner.query(
    `insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, status, follow_up_on, assignee_id, last_at, last_direction, last_received_at, unanswered, waiting_since,
       answered, sentiment, sentiment_by, post_id, created_at)
     select $1, uuidv7(), $2, channel_id, kind, '${count}-' || n, status, case when status = 'FOLLOWUP' then date '2031-01-01' end, assignee_id, at, 'received', at, (not answered)::int, case when not answered then at - interval '1 hour' end,
       answered, sentiment, case when sentiment is not null then 'words' end, post_id, at
     from (
       select n, ${status} as status, ${kind} as kind, ${sentiment} as sentiment, ${assignee} as assignee_id, ${answered} as answered, ${channel} as channel_id, ${about} as post_id,
         $7::timestamptz - interval '${ago}' - n * interval '10 minutes' as at
       from generate_series(1, ${count}) n where ($5::uuid, $6::uuid, $4::uuid) is not null
     ) t`,
    [home.orgId, home.projectId, channels, home.person.personId, other, post, app.clock.now()],
  )
}

type Row = {
  id: string
  kind: string
  status: string
  sentiment: string | null
  answered: boolean
  channel_id: string
  assignee_id: string | null
  post_id: string | null
  unread: boolean
  last_at: Date
  waiting_since: Date | null
}
const rowsOf = async (): Promise<Row[]> =>
  (
    await app.database.owner.query<Row>(
      `select c.*, not exists (select from conversation_read r where r.org_id = c.org_id and r.person_id = $2 and r.conversation_id = c.id and r.up_to >= c.last_received_at) as unread
       from conversation c where org_id = $1`,
      [home.orgId, home.person.personId],
    )
  ).rows

const lists: string[] = [
  'kind=review',
  'kind=review,message&status=OPEN',
  'kind=mention&sentiment=negative',
  'sentiment=negative',
  'sentiment=unknown',
  'sentiment=unknown,neutral&status=OPEN,FOLLOWUP',
  'answered=true',
  'answered=true&status=CLOSED',
  'answered=false&kind=review',
  'unread=true',
  'unread=true&status=OPEN',
  'unread=true&status=CLOSED',
  'unread=true&kind=message',
  'unread=true&sentiment=negative&assignee=me',
  'platform=mastodon',
  'platform=mastodon&status=OPEN',
  'platform=bluesky&kind=review',
  'platform=bluesky&sentiment=negative&answered=true',
  'assignee=nobody',
  'assignee=nobody&status=OPEN',
  'assignee=me&kind=review',
  'assignee=me,nobody&sentiment=negative',
  'assignee=nobody&answered=true&kind=mention',
  'status=FOLLOWUP',
  'to=RECENT',
  'to=RECENT&kind=comment&status=OPEN',
  'from=OLD&to=RECENT&unread=true',
  'postId=POST',
  'postId=POST&status=OPEN',
  'postId=POST&kind=review',
  'sort=waiting&kind=review',
  'sort=waiting&sentiment=negative',
  'sort=waiting&platform=mastodon',
  'sort=waiting&kind=message&sentiment=unknown',
  'sort=waiting&assignee=nobody',
]
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000).toISOString()
const named = (list: string) =>
  Object.fromEntries(
    new URLSearchParams(list.replace('POST', post).replace('RECENT', daysAgo(30)).replace('OLD', daysAgo(32))),
  )
const queryOf = (list: string) => listConversations.query.parse(named(list))
type Query = ReturnType<typeof queryOf>

/** What passes, in its order, by the words of the contract. */
function expected(rows: readonly Row[], query: Query): string[] {
  const among = (some: readonly unknown[] | undefined, one: unknown) => some === undefined || some.includes(one)
  const waits = query.sort === 'waiting'
  const at = (row: Row) => (waits ? row.waiting_since : row.last_at)?.getTime() ?? 0
  return rows
    .filter(
      (row) =>
        among(query.kind, row.kind) &&
        among(query.status, row.status) &&
        among(query.sentiment, row.sentiment ?? 'unknown') &&
        (query.answered === undefined || row.answered === query.answered) &&
        (query.unread === undefined || row.unread === query.unread) &&
        among(query.platform, row.channel_id === channels[2] ? 'mastodon' : 'bluesky') &&
        among(
          query.assignee,
          row.assignee_id === null ? 'nobody' : row.assignee_id === home.person.personId ? 'me' : row.assignee_id,
        ) &&
        (query.postId === undefined || row.post_id === query.postId) &&
        (query.from === undefined || row.last_at.toISOString() >= query.from) &&
        (query.to === undefined || row.last_at.toISOString() < query.to) &&
        (!waits || (row.waiting_since !== null && row.status !== 'CLOSED')),
    )
    .toSorted((a, b) => (at(a) - at(b) || (a.id < b.id ? -1 : 1)) * (query.sort === 'newest' ? -1 : 1))
    .map(({ id }) => id)
}

it.each(lists.flatMap((list) => (list.includes('sort=') ? [list] : [list, `sort=oldest&${list}`])))(
  'lists what passes %s, in its order, page by page',
  async (list) => {
    const query = queryOf(`${list}&limit=40`)
    const wanted = expected(await rowsOf(), query).slice(0, 400)
    const found: string[] = []
    for (let after: string | undefined; found.length < wanted.length || after === undefined;) {
      const page = await app.call(
        listConversations,
        { params: home.params, query: { ...named(list), limit: '40', after } },
        { as: home.person },
      )
      found.push(...page.conversations.map(({ conversationId }) => conversationId))
      if (page.next === null) break
      after = page.next
    }
    expect(wanted.length).toBeGreaterThan(0)
    expect(found.slice(0, 400)).toEqual(wanted)
  },
)

type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}
/** How many rows of conversations a plan has looked at. */
const looked = (plan: Plan): number =>
  (plan['Relation Name'] === 'conversation'
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)) *
      plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, each) => sum + looked(each), 0)

it.each(lists)('looks at few conversations to list those of %s', async (list) => {
  const query = queryOf(`${list}&limit=20`)
  const plan = await asTenant(app.parts.databases.web, home.orgId, async (tx) => {
    const reader: InboxReader = {
      tx,
      org: home,
      project: { projectId: home.projectId, channelIds: null, permissions: systemRoles.admin.permissions, zone: 'UTC' },
      caller: home.person,
      now: app.clock.now(),
    }
    await inOrder.execute(tx)
    const { rows } = await sql<{
      'QUERY PLAN': [{ Plan: Plan }]
    }>`explain (analyze, format json) ${pageQuery(reader, query)}`.execute(tx)
    return rows[0]?.['QUERY PLAN'][0].Plan
  })
  // a day has 144, each mix of filters ends with its first page, and each conversation is read again to be shown
  expect(plan && looked(plan)).toBeLessThan(1_200)
})
