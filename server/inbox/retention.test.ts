import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from 'kysely'
import { organization, setInboxKeeping } from '#contract/orgSettings.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { eraseRemovedChannels } from './removedChannels.ts'
import { eraseExpired } from './retention.ts'
import { applyKeeping } from './applyKeeping.ts'

/** Unless an organization chooses. */
const INBOX_KEEP_DAYS = 730

let app: TestApp
let home: TestHome
let channelId: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
})

const as = (platform: string) =>
  app.database.owner.query('update channel set platform = $2 where id = $1', [channelId, platform])
const erase = () => eraseExpired({ ...app.parts, signal: new AbortController().signal })
const kept = async () =>
  (
    await app.database.owner.query(
      `select i.text, i.warning, i.expired, p.name, c.preview, c.unanswered from inbox_item i join conversation c on c.id = i.conversation_id
       left join inbox_person p on p.id = i.person_id where i.org_id = $1 order by i.at`,
      [home.orgId],
    )
  ).rows
const found = async (words: string) =>
  await asTenant(
    app.parts.databases.web,
    home.orgId,
    async (tx) =>
      (await sql`select unnest(search_conversations(${home.projectId}, ${words}, 2000))`.execute(tx)).rows.length,
  )
const HOUR = 3_600_000

it.each(platformKeys)('erases what others wrote on %s when its terms say so, and not before', async (platform) => {
  await as(platform)
  const { textHours = INBOX_KEEP_DAYS * 24, personHours = INBOX_KEEP_DAYS * 24 } = inboxRules[platform].keep ?? {}
  const { threadKey } = await received(app, home, { channelId, text: 'a secret', warning: 'a secret' })
  await received(app, home, { channelId, threadKey, isOurs: true, text: 'our answer' })
  const hours = [...new Set([personHours, textHours])].toSorted((a, b) => a - b)
  let passed = 0
  for (const at of hours) {
    const before = await kept()
    app.clock.advance({ ms: (at - passed) * HOUR - 1 })
    await erase()
    expect(await kept()).toEqual(before)
    app.clock.advance({ ms: 1 })
    await erase()
    passed = at
    expect((await kept())[0]).toMatchObject({
      text: at >= textHours ? null : 'a secret',
      warning: at >= textHours ? null : 'a secret',
      expired: at >= textHours,
      name: at >= personHours ? '' : 'Maya',
    })
    expect(await found('secret')).toBe(at >= textHours ? 0 : 1)
  }
  expect((await kept())[1]).toMatchObject({ text: 'our answer', expired: false })
})

it.each([90, 180, 365, 1825] as const)(
  'keeps what others wrote for the %i days that the organization chose, not longer',
  async (days) => {
    const DAY = 24 * HOUR
    const ago = (n: number) => new Date(app.clock.now().getTime() - n * DAY)
    const write = (text: string, daysAgo: number, platform = 'bluesky', from = text) =>
      as(platform).then(() => received(app, home, { channelId, text, at: ago(daysAgo), from }))
    const choose = (inboxKeepDays: 90 | 180 | 365 | 730 | 1825, by = home.person) =>
      app.call(setInboxKeeping, { params: { orgId: home.orgId }, body: { inboxKeepDays } }, { as: by })
    await write('older', days - 1 < 700 ? days + 1 : 700)
    await write('newer', Math.min(days, 700) - 1)
    const editor = await app.colleague(home, 'editor')
    await expect(
      app.call(setInboxKeeping, { params: { orgId: home.orgId }, body: { inboxKeepDays: days } }, { as: editor }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await choose(days)
    expect((await app.call(organization, { params: { orgId: home.orgId } }, { as: home.person })).inboxKeepDays).toBe(
      days,
    )
    const context = { databases: app.parts.databases, signal: new AbortController().signal }
    expect(await applyKeeping(context)).toBe(1)
    expect(await applyKeeping(context)).toBe(0)
    await erase()
    const texts = async () => (await kept()).map(({ text, name }) => [text, name])
    const isLonger = days > 730
    expect(await texts()).toEqual([isLonger ? ['older', 'Older'] : [null, ''], ['newer', 'Newer']])
    // what is written from now on
    const { remoteId } = await write('later', 0)
    app.clock.advance({ ms: days * DAY - 1 })
    await erase()
    expect((await texts()).at(-1)).toEqual(['later', 'Later'])
    app.clock.advance({ ms: 1 })
    await erase()
    expect((await texts()).map(([text]) => text)).toEqual([null, null, null])
    // the platform may show it for longer
    await received(app, home, {
      channelId,
      remoteId,
      text: 'later',
      at: new Date(app.clock.now().getTime() - days * DAY),
    })
    expect((await texts()).map(([text]) => text)).toEqual([null, null, null])
  },
)

it("doesn't keep longer than a platform's terms say what an organization keeps for years", async () => {
  await as('linkedin')
  await received(app, home, { channelId, text: 'a secret' })
  await app.call(setInboxKeeping, { params: { orgId: home.orgId }, body: { inboxKeepDays: 1825 } }, { as: home.person })
  await applyKeeping({ ...app.parts, signal: new AbortController().signal })
  app.clock.advance({ hours: 48 })
  await erase()
  expect(await kept()).toMatchObject([{ text: null, name: '' }])
})

it('shows a text again that is read again, and keeps it as long again', async () => {
  await as('linkedin')
  const at = app.clock.now()
  const { remoteId } = await received(app, home, { channelId, text: 'a secret', at })
  app.clock.advance({ hours: 48 })
  await erase()
  expect(await kept()).toMatchObject([{ text: null, expired: true, preview: '', unanswered: 1 }])
  await received(app, home, { channelId, remoteId, text: 'a secret', at })
  expect(await kept()).toMatchObject([{ text: 'a secret', expired: false, preview: 'a secret', name: 'Maya' }])
  app.clock.advance({ hours: 47 })
  await erase()
  expect(await kept()).toMatchObject([{ text: 'a secret' }])
})

it('erases the post of someone else that a conversation is about with its last item', async () => {
  await as('linkedin')
  const person = { remoteId: 'p', name: 'Pat', handle: '@pat', pictureUrl: null, url: null }
  const subject = { remoteId: 's', text: 'their post', at: null, url: null, isOurs: false, person }
  await received(app, home, { channelId, conversation: 'mention', subject })
  app.clock.advance({ hours: 48 })
  await erase()
  const { rows } = await app.database.owner.query('select subject from conversation where org_id = $1', [home.orgId])
  expect(rows).toEqual([{ subject: { ...subject, text: '', person: null } }])
})

it('deletes everything that was written to a channel that is deleted, and nothing else', async () => {
  const other = await contentOn(app.parts).channel(home)
  for (const of of [channelId, other])
    for (let i = 0; i < 3; i++) await received(app, home, { channelId: of, from: `person${i}` })
  await app.database.owner.query('update channel set deleted_at = now() where id = $1', [channelId])
  const context = { ...app.parts, signal: new AbortController().signal }
  expect(await eraseRemovedChannels(context)).toBe(1)
  expect(await eraseRemovedChannels(context)).toBe(0)
  for (const table of ['conversation', 'inbox_item', 'inbox_person'])
    expect(
      (await app.database.owner.query(`select channel_id from ${table} where org_id = $1`, [home.orgId])).rows,
    ).toEqual(Array.from({ length: 3 }, () => ({ channel_id: other })))
  const { rows } = await app.database.owner.query('select count(*)::int as n from inbox_text where org_id = $1', [
    home.orgId,
  ])
  expect(rows).toEqual([{ n: 3 }])
})
