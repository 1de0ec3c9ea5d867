import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LiveEvent } from '#contract/live.ts'
import { logout } from '#contract/identity.ts'
import type { Database } from '../db/schema.ts'
import { insertMany } from '../db/insertMany.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import { postsOn } from '../testing/posts.ts'
import { openEvents } from '../testing/events.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { readCursor, writeCursor } from './cursor.ts'
import { emit } from './emit.ts'
import { currentCursor } from './read.ts'

let app: TestApp
let address: string
beforeAll(async () => {
  app = await startApp()
  address = await app.listen()
})
afterAll(() => app.close())

type Tx = Transaction<Database>
const tell = (tx: Tx, home: TestHome, ref: string, more: { personId?: string; projectId?: string | null } = {}) =>
  emit(tx, { kind: 'post', ref, orgId: home.orgId, projectId: home.projectId, ...more }, app.clock.now())
const change = (home: TestHome, ref: string, more: { personId?: string; projectId?: string | null } = {}) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) => tell(tx, home, ref, more))
const refs = (stream: { changes(): LiveEvent[] }) => stream.changes().map((event) => event.ref)

/** A gate that a test opens. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

it("starts with a reset, then sends the project's changes in order, with their cursors", async () => {
  const home = await app.signedInOwner()
  const stream = await openEvents(address, home.params, home.person)
  await until(() => stream.messages.length === 1, { what: 'the reset' })
  expect(stream.messages[0]?.event).toBe('reset')
  for (const ref of ['one', 'two', 'three']) await change(home, ref)
  await until(() => refs(stream).length === 3)
  expect(refs(stream)).toEqual(['one', 'two', 'three'])
  expect(stream.changes().every((event) => LiveEvent.safeParse(event).success)).toBe(true)
  expect(stream.messages.every((message) => readCursor(message.id))).toBe(true)
  stream.close()
})

it('sends nothing about other organizations, projects and people', async () => {
  const home = await app.signedInOwner()
  const elsewhere = await app.signedInOwner()
  const second = await app.project(home.orgId, home.person)
  const stream = await openEvents(address, home.params, home.person)
  await until(() => stream.messages.length === 1)
  await change(elsewhere, 'foreign organization')
  await change(home, 'foreign project', { projectId: second.projectId })
  await change(home, 'someone else', { personId: elsewhere.person.personId })
  await change(home, 'whole organization', { projectId: null })
  await change(home, 'me', { personId: home.person.personId })
  await until(() => refs(stream).includes('me'))
  expect(refs(stream)).toEqual(['whole organization', 'me'])
  stream.close()
})

it('loses nothing when transactions commit in a different order than they began', async () => {
  const home = await app.signedInOwner()
  const stream = await openEvents(address, home.params, home.person)
  await until(() => stream.messages.length === 1)
  const [held, written] = [gate(), gate()]
  const early = asTenant(app.parts.databases.web, home.orgId, async (tx) => {
    // immediately, not with the commit as emit() does
    await insertMany(tx, 'event', [
      {
        at: app.clock.now(),
        org_id: home.orgId,
        project_id: home.projectId,
        kind: 'post',
        ref: 'began first, commits last',
      },
    ])
    written.open()
    await held.opened
  })
  await written.opened
  await change(home, 'began last, commits first')
  // others may read in the meantime: what can't be ordered yet is held back, not skipped
  const other = await app.signedInOwner()
  await openEvents(address, other.params, other.person).then((one) => one.close())
  expect(refs(stream)).toEqual([])
  held.open()
  await early
  await until(() => refs(stream).length === 2)
  expect(refs(stream)).toEqual(['began first, commits last', 'began last, commits first'])
  stream.close()
})

it('sends 200 changes of parallel transactions once each', async () => {
  const home = await app.signedInOwner()
  const stream = await openEvents(address, home.params, home.person)
  await until(() => stream.messages.length === 1)
  const wanted = Array.from({ length: 200 }, (_, i) => `change ${i}`)
  await Promise.all(wanted.map((ref) => change(home, ref)))
  await until(() => refs(stream).length >= 200)
  expect(refs(stream).toSorted()).toEqual(wanted.toSorted())
  stream.close()
})

it("resumes after the browser's last cursor", async () => {
  const home = await app.signedInOwner()
  const first = await openEvents(address, home.params, home.person)
  await until(() => first.messages.length === 1)
  await change(home, 'seen')
  await until(() => refs(first).length === 1)
  const last = first.messages.at(-1)?.id ?? ''
  first.close()
  await change(home, 'missed')
  await change(home, 'missed by others', { personId: randomUUIDv7() })
  const second = await openEvents(address, home.params, home.person, last)
  await change(home, 'after')
  await until(() => refs(second).includes('after'))
  expect(second.messages.map((message) => message.event)).toEqual(['message', 'message'])
  expect(refs(second)).toEqual(['missed', 'after'])
  second.close()
})

it("starts after the page's cursor, and continues after the browser's last one", async () => {
  const home = await app.signedInOwner()
  // a quiet day: no older event shows that none was dropped
  await app.database.owner.query('delete from event')
  const page = {
    after: writeCursor(await asSystem(app.parts.databases.system, currentCursor)),
    readAt: app.clock.now(),
  }
  const openPage = (seen?: string) => openEvents(address, home.params, home.person, seen, {}, page)
  await change(home, 'since the page')
  const first = await openPage()
  await until(() => refs(first).length === 1)
  expect(first.messages.map((message) => message.event)).toEqual(['message'])
  const last = first.messages.at(-1)?.id ?? ''
  first.close()
  await change(home, 'later')
  // browsers ask again with the same URL
  const second = await openPage(last)
  await until(() => refs(second).length === 1)
  expect(refs(second)).toEqual(['later'])
  second.close()
  // an old page
  page.readAt = new Date(app.clock.now().getTime() - 2 * 3_600_000)
  await app.database.owner.query('delete from event')
  const third = await openPage()
  await until(() => third.messages.length > 0)
  expect(third.messages[0]?.event).toBe('reset')
  third.close()
})

it("resets a stream that can't be resumed: unreadable, from another history, too old, too far behind", async () => {
  const home = await app.signedInOwner()
  await change(home, 'here')
  const events = await app.database.owner.query<{ xid: string }>(
    'select min(xid::text::numeric)::text as xid from event',
  )
  const tooOld = writeCursor({ xid: BigInt(events.rows[0]?.xid ?? 0) - 1n, id: 1n })
  const current = await app.database.owner.query<{ at: string }>(
    "select xid::text || '-' || id as at from event order by xid desc, id desc limit 1",
  )
  const behind = current.rows[0]?.at
  await app.database.owner.query(
    "insert into event (at, org_id, project_id, kind, ref) select $1, $2, $3, 'post', 'many' from generate_series(1, 501)",
    [app.clock.now(), home.orgId, home.projectId],
  )
  // events are read once no earlier transaction of the server is open, those of other databases included
  await until(
    async () =>
      (
        await app.database.owner.query(
          'select from event having max(xid::text::numeric) < pg_snapshot_xmin(pg_current_snapshot())::text::numeric',
        )
      ).rowCount === 1,
    { what: 'every transaction before the events to end' },
  )
  for (const lastEventId of ['nonsense', '-', '9223372036854775807-1', '99999999999999999999-1', tooOld, behind]) {
    const stream = await openEvents(address, home.params, home.person, lastEventId)
    await until(() => stream.messages.length > 0, { what: `an answer to ${lastEventId}` })
    expect(stream.messages[0]?.event, lastEventId).toBe('reset')
    stream.close()
  }
})

it('ends with the session', async () => {
  const home = await app.signedInOwner()
  const stream = await openEvents(address, home.params, home.person)
  await until(() => stream.messages.length === 1)
  await app.call(logout, {}, { as: home.person })
  await stream.ended
  await expect(openEvents(address, home.params, home.person)).rejects.toThrow('401')
})

it('ends when the person is removed from the organization, and stays open for others', async () => {
  const home = await app.signedInOwner()
  const colleague = await app.colleague(home, 'editor')
  const [owners, theirs] = await Promise.all([
    openEvents(address, home.params, home.person),
    openEvents(address, home.params, colleague),
  ])
  await until(() => owners.messages.length === 1 && theirs.messages.length === 1)
  await asTenant(app.parts.databases.web, home.orgId, async (tx) => {
    await tx
      .updateTable('member')
      .set({ removed_at: app.clock.now() })
      .where('person_id', '=', colleague.personId)
      .execute()
    await emit(tx, { kind: 'member', ref: colleague.personId, orgId: home.orgId, projectId: null }, app.clock.now())
  })
  await theirs.ended
  await change(home, 'still told')
  await until(() => refs(owners).includes('still told'))
  expect(owners.isOpen).toBe(true)
  owners.close()
})

it("sends a role with specific channels only those channels' changes, including missed ones", async () => {
  const home = await app.signedInOwner()
  const { channel } = contentOn(app.parts)
  const { post } = postsOn(app, app.database)
  const [mine, other] = [await channel(home), await channel(home)]
  const scoped = await app.colleague(home, 'editor', { channelIds: [mine] })
  const [seen, hidden, ownDraft, draft] = [
    await post(home, mine),
    await post(home, other),
    await post(home, mine),
    await post(home, mine),
  ]
  await app.database.owner.query("update post set state = 'DRAFTS', channel_id = null where id = any($1)", [
    [ownDraft, draft],
  ])
  await app.database.owner.query('update post set author_id = $2 where id = $1', [ownDraft, scoped.personId])
  const talk = (await received(app, home, { channelId: mine })).conversationId
  const secretTalk = (await received(app, home, { channelId: other })).conversationId
  const stream = await openEvents(address, home.params, scoped)
  await until(() => stream.messages.length === 1)
  const told = async () => {
    await change(home, hidden)
    await change(home, draft)
    await change(home, 'no post at all')
    await asTenant(app.parts.databases.web, home.orgId, (tx) =>
      emit(tx, { kind: 'channel', ref: other, orgId: home.orgId, projectId: home.projectId }, app.clock.now()),
    )
    await change(home, seen)
    await asTenant(app.parts.databases.web, home.orgId, (tx) =>
      emit(tx, { kind: 'channel', ref: mine, orgId: home.orgId, projectId: home.projectId }, app.clock.now()),
    )
    await change(home, ownDraft)
    for (const ref of [secretTalk, talk])
      await asTenant(app.parts.databases.web, home.orgId, (tx) =>
        emit(tx, { kind: 'conversation', ref, orgId: home.orgId, projectId: home.projectId }, app.clock.now()),
      )
    return [seen, mine, ownDraft, talk]
  }
  const first = await told()
  await until(() => refs(stream).slice(-4).join() === first.join())
  for (const secret of [hidden, draft, other, secretTalk, 'no post at all']) expect(refs(stream)).not.toContain(secret)
  const last = stream.messages.at(-1)?.id ?? ''
  stream.close()
  const missed = await told()
  const second = await openEvents(address, home.params, scoped, last)
  await until(() => refs(second).length >= missed.length)
  expect(refs(second)).toEqual(missed)
  second.close()
})

it("ends when a role's channels change, so that the next stream includes the others", async () => {
  const home = await app.signedInOwner()
  const channel = await contentOn(app.parts).channel(home)
  const colleague = await app.colleague(home, 'editor')
  const stream = await openEvents(address, home.params, colleague)
  await until(() => stream.messages.length === 1)
  await asTenant(app.parts.databases.web, home.orgId, async (tx) => {
    await tx
      .updateTable('project_member')
      .set({ channel_ids: [channel] })
      .where('person_id', '=', colleague.personId)
      .execute()
    await emit(tx, { kind: 'member', ref: colleague.personId, orgId: home.orgId, projectId: null }, app.clock.now())
  })
  await stream.ended
})

it('refuses strangers', async () => {
  const home = await app.signedInOwner()
  const stranger = await app.signedInOwner()
  await expect(openEvents(address, home.params, stranger.person)).rejects.toThrow('IDENTIFIERS_ERROR')
})

it("closes a person's oldest stream if there are too many", async () => {
  const home = await app.signedInOwner()
  const streams = []
  for (let i = 0; i < 33; i++) streams.push(await openEvents(address, home.params, home.person))
  await streams[0]?.ended
  expect(streams[32]?.isOpen).toBe(true)
  for (const stream of streams) stream.close()
})
