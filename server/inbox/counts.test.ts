import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as actions from '#contract/inbox/actions.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { asSystem } from '../db/system.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received, remoteItem, storeChanges } from '../testing/inbox.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { foldInboxCounts } from './foldCounts.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())

const kinds = ['comment', 'message', 'review'] as const
type Member = { person: TestPerson; kinds: readonly string[]; channels: string[] | null }
type Place = { home: TestHome; channels: string[]; members: Member[]; keys: string[]; ids: string[] }

/** A project of three channels and four people: two see everything, one a channel, one comments only. */
async function place(): Promise<Place> {
  const home = await app.signedInOwner()
  const content = contentOn(app.parts)
  const channels = [await content.channel(home), await content.channel(home), await content.channel(home)]
  const answers = ['view', 'create', 'edit', 'delete']
  const all = ['comment', 'message', 'mention', 'review']
  const bound = await app.colleague(home, 'editor', { channelIds: channels.slice(0, 1) })
  const commenter = await teamOn(app).holder(home, { inbox: ['view'], comment: answers })
  return {
    home,
    channels,
    members: [
      { person: home.person, kinds: all, channels: null },
      { person: await app.colleague(home, 'editor'), kinds: all, channels: null },
      { person: bound, kinds: all, channels: channels.slice(0, 1) },
      { person: commenter, kinds: ['comment', 'mention', 'review'], channels: null },
    ],
    keys: [],
    ids: [],
  }
}

/** Counted one by one, as if nothing was kept. */
async function counted({ home, channels }: Place, { person, kinds: seen, channels: scope }: Member) {
  const { rows } = await app.database.owner.query(
    `with c as (select * from conversation where org_id = $1 and project_id = $2 and kind = any($4) and channel_id = any($5))
     select count(*) filter (where status = 'OPEN')::int as open,
       count(*) filter (where status = 'OPEN' and last_received_at is not null and not exists (
         select from conversation_read r where r.org_id = c.org_id and r.person_id = $3 and r.conversation_id = c.id and r.up_to >= c.last_received_at))::int as unread,
       count(*) filter (where status = 'OPEN' and assignee_id = $3)::int as mine, count(*) filter (where status = 'OPEN' and assignee_id is null)::int as unassigned,
       count(*) filter (where status <> 'CLOSED' and waiting_since is not null)::int as waiting, count(*) filter (where status = 'FOLLOWUP')::int as "followUp", 0 as unsent,
       (select coalesce(json_agg(json_build_object('channelId', channel_id, 'open', n) order by channel_id), '[]') from (select channel_id, count(*) as n from c where status = 'OPEN' group by 1) o) as channels
     from c`,
    [home.orgId, home.projectId, person.personId, seen, scope ?? channels],
  )
  return rows[0]
}

/** How many of a project's lines differ from what counting says. */
async function differences(
  { home }: Place,
  table: string,
  count: string,
  columns: string,
): Promise<number | undefined> {
  const kept = `select ${columns} from ${table} where org_id = $1 and (${table === 'inbox_day' ? 'n' : 'open, received, unassigned, waiting, follow_up, mine, seen'}) <> (${table === 'inbox_day' ? '0' : '0, 0, 0, 0, 0, 0, 0'})`
  const { rows } = await app.database.owner.query<{ n: number }>(
    `select count(*)::int as n from ((${kept} except all select * from ${count}($1, $2)) union all (select * from ${count}($1, $2) except all ${kept})) d`,
    [home.orgId, home.projectId],
  )
  return rows[0]?.n
}

const fold = () => foldInboxCounts({ databases: app.parts.databases, signal: new AbortController().signal })

async function expectExact(at: Place): Promise<void> {
  for (const member of at.members)
    expect(await app.call(inboxCounts, { params: at.home.params }, { as: member.person })).toEqual(
      await counted(at, member),
    )
}

/** Something that someone does, given three numbers; what can't be done just then is refused. */
const acts: Record<string, (at: Place, n: number, m: number, k: number) => Promise<unknown>> = {
  hear: async (at, n, m, k) => {
    const kind = kinds[m % kinds.length] ?? 'comment'
    const key = `${kind}-${n % 12}`
    const channelId = at.channels[(n % 12) % 3] ?? ''
    if (!at.keys.includes(key)) at.keys.push(key)
    await storeChanges(app, at.home, channelId, [
      remoteItem({
        channelId,
        conversation: kind,
        remoteId: `${key}-${k}`,
        threadKey: key,
        isOurs: k % 4 === 0,
        at: new Date(app.clock.now().getTime() + k),
      }),
    ])
  },
  remove: async (at, n, m, k) => {
    const kind = kinds[m % kinds.length] ?? 'comment'
    const channelId = at.channels[(n % 12) % 3] ?? ''
    const remoteId = `${kind}-${n % 12}-${k}`
    await storeChanges(app, at.home, channelId, [{ change: 'deleted', remoteId, at: app.clock.now() }])
  },
  read: (at, n, m, k) =>
    inConversation(at, n, m, (params, as) =>
      app.call(actions.readConversation, { params, body: { read: k % 3 > 0 } }, { as }),
    ),
  move: (at, n, m, k) =>
    inConversation(at, n, m, (params, as) =>
      app.call(actions.setConversationStatus, { params, body: movedTo(k) }, { as }),
    ),
  assign: (at, n, m, k) =>
    inConversation(at, n, m, (params, as) => {
      const userId = at.members[k % 5]?.person.personId ?? null
      return app.call(actions.assignConversation, { params, body: { userId } }, { as })
    }),
  many: async (at, _n, m, k) => {
    const as = at.members[m % at.members.length]?.person
    const body = k % 4 === 0 ? movedTo(k / 4) : { read: k % 2 > 0 }
    if (as && at.ids.length > 0)
      await app.call(
        actions.changeConversations,
        { params: at.home.params, body: { conversationIds: at.ids, ...body } },
        { as },
      )
  },
  erase: async (at, n) => {
    const id = at.ids[n % Math.max(1, at.ids.length)]
    await app.database.owner.query('delete from conversation where org_id = $1 and id = $2', [at.home.orgId, id])
  },
  fold: async () => void (await fold()),
  recount: async (at) =>
    void (await app.database.owner.query('select recount_inbox($1, $2)', [at.home.orgId, at.home.projectId])),
}

const movedTo = (k: number) =>
  k % 3 === 2
    ? ({ status: 'FOLLOWUP', followUpOn: '2031-01-01' } as const)
    : ({ status: k % 3 === 1 ? 'CLOSED' : 'OPEN' } as const)

async function inConversation(
  at: Place,
  n: number,
  m: number,
  act: (params: TestHome['params'] & { conversationId: string }, as: TestPerson) => Promise<unknown>,
): Promise<void> {
  const [conversationId, member] = [at.ids[n % Math.max(1, at.ids.length)], at.members[m % at.members.length]]
  if (conversationId !== undefined && member) await act({ ...at.home.params, conversationId }, member.person)
}

const { runs, seed, timeout } = modelRuns('inbox counts')
const anAct = fc.tuple(
  fc.constantFrom(
    'hear',
    'hear',
    'hear',
    'read',
    'read',
    'read',
    'move',
    'move',
    'assign',
    'many',
    'remove',
    'erase',
    'fold',
    'recount',
  ),
  fc.nat(60),
  fc.nat(60),
  fc.nat(60),
)

it(
  'keeps counts that are those of everyone, whatever people and platforms do at the same time',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anAct, { minLength: 1, maxLength: 8 }), { minLength: 4, maxLength: 12 }),
        async (rounds) => {
          const at = await place()
          for (const round of rounds) {
            const { rows } = await app.database.owner.query<{ id: string }>(
              'select id from conversation where org_id = $1 order by thread_key, channel_id',
              [at.home.orgId],
            )
            at.ids = rows.map(({ id }) => id)
            await Promise.all(round.map(async ([name, n, m, k]) => await acts[name]?.(at, n, m, k).catch(refused)))
            await expectExact(at)
          }
          await fold()
          await expectExact(at)
          expect(
            await differences(
              at,
              'inbox_count',
              'counted_inbox',
              'person_id, channel_id, kind, open, received, unassigned, waiting, follow_up, mine, seen',
            ),
          ).toBe(0)
          expect(
            await differences(at, 'inbox_day', 'counted_inbox_days', 'person_id, channel_id, status, day, n'),
          ).toBe(0)
        },
      ),
      { numRuns: runs, seed },
    )
  },
  timeout,
)

/** What people were refused, and what was written to a conversation that was erased just then; no other failure. */
function refused(error: unknown): void {
  if (!/violates foreign key|STALE_VERSION|NOT_FOUND|FORBIDDEN|NOT_A_MEMBER|BAD_INPUT|VALIDATION/.test(String(error)))
    throw error
}

it('counts nothing of what is gone: a deleted channel, a person, a project', async () => {
  const at = await place()
  const [first = '', second = ''] = at.channels
  const { conversationId } = await received(app, at.home, { channelId: first })
  await received(app, at.home, { channelId: second })
  const [, colleague] = at.members
  for (const person of [at.home.person, colleague?.person ?? at.home.person])
    await app.call(
      actions.readConversation,
      { params: { ...at.home.params, conversationId }, body: { read: true } },
      { as: person },
    )
  await app.database.owner.query('delete from member where org_id = $1 and person_id = $2', [
    at.home.orgId,
    colleague?.person.personId,
  ])
  await fold()
  const sums = async () =>
    (
      await app.database.owner.query(
        'select person_id, sum(open)::int as open, sum(seen)::int as seen from inbox_count where org_id = $1 group by 1 having sum(open) + sum(seen) <> 0 order by 1 nulls first',
        [at.home.orgId],
      )
    ).rows
  expect(await sums()).toEqual([
    { person_id: null, open: 2, seen: 0 },
    { person_id: at.home.person.personId, open: 0, seen: 1 },
  ])
  await asSystem(app.parts.databases.system, (tx) =>
    tx.deleteFrom('conversation').where('channel_id', '=', first).execute(),
  )
  expect(await sums()).toEqual([{ person_id: null, open: 1, seen: 0 }])
  await app.database.owner.query('delete from project where org_id = $1 and id = $2', [
    at.home.orgId,
    at.home.projectId,
  ])
  expect((await app.database.owner.query('select from inbox_count where org_id = $1', [at.home.orgId])).rows).toEqual(
    [],
  )
})

it('reads a few lines, however many conversations are open', async () => {
  const at = await place()
  await app.database.owner.query(
    `insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, status, last_at, last_direction, last_received_at, unanswered, waiting_since, created_at)
     select $1, uuidv7(), $2, ($3::uuid[])[1 + n % 3], 'comment', 'many-' || n, 'OPEN', $4::timestamptz, 'received', $4::timestamptz, 1, $4::timestamptz, $4::timestamptz from generate_series(1, 5000) n`,
    [at.home.orgId, at.home.projectId, at.channels, app.clock.now()],
  )
  await fold()
  expect(await app.call(inboxCounts, { params: at.home.params }, { as: at.home.person })).toMatchObject({
    open: 5000,
    unread: 5000,
    waiting: 5000,
  })
  expect(
    (await app.database.owner.query('select from inbox_count where org_id = $1', [at.home.orgId])).rows,
  ).toHaveLength(3)
})
