import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { checkBulk, listBulk, removeBulk, type BulkImportDetail } from '#contract/bulk.ts'
import { setProjectLinks } from '#contract/links/settings.ts'
import { listPosts, rowsOf } from '#contract/postLists.ts'
import { getPost } from '#contract/posts.ts'
import { ApiFailure } from '../testing/client.ts'
import { bulkFile, bulkOn, bulkRow as row, onPlan } from '../testing/bulk.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let bulk: ReturnType<typeof bulkOn>
let home: TestHome

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  bulk = bulkOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await onPlan(app, home, 'team')
  await content.channel(home, { handle: '@harbour.example' })
})

const scheduled = async () =>
  rowsOf(
    await app.call(
      listPosts,
      { params: home.params, query: { status: ['SCHEDULED'], limit: 300 } },
      { as: home.person },
    ),
  )
const wrong = (found: BulkImportDetail, n = 0) => found.rows[n]?.errors.map(({ column, message }) => [column, message])
const warned = (found: BulkImportDetail, n = 0) => found.rows[n]?.warnings.map(({ message }) => message)

describe('rows of a file', () => {
  it('are checked, and scheduled only by the confirmation', async () => {
    const taxonomy = taxonomyOn(app)
    const [label, campaign] = [await taxonomy.label(home, 'Launch, spring'), await taxonomy.campaign(home, 'Tea week')]
    const found = await bulk.check(home, [
      row('Good morning'),
      row('From the harbour', { timezone: 'IST', time: '6:05 PM', labels: 'launch, SPRING', campaign: 'tea week' }),
    ])
    expect(found).toMatchObject({
      name: 'december.csv',
      state: 'open',
      ready: 2,
      wrong: 0,
      refusal: null,
      unknownColumns: [],
    })
    expect(
      found.rows.map(({ row: n, errors, warnings, dueAt, timezone }) => [n, errors, warnings, dueAt, timezone]),
    ).toEqual([
      [2, [], [], '2026-12-01T09:30:00.000Z', 'Europe/London'],
      [3, [], [], '2026-12-01T12:35:00.000Z', 'Asia/Kolkata'],
    ])
    expect(await bulk.land()).toBe(0)
    expect(await scheduled()).toEqual([])

    expect(await bulk.confirm(home, found)).toMatchObject({ state: 'scheduling', message: 'Scheduling 2 rows' })
    await bulk.land()
    const done = await bulk.read(home, found)
    expect(done).toMatchObject({ state: 'done', counts: { made: 2, waiting: 0, failed: 0 } })
    const made = await scheduled()
    expect(made.map(({ postId }) => postId).toSorted()).toEqual(done.rows.flatMap(({ postIds }) => postIds).toSorted())
    expect(made.find(({ excerpt }) => excerpt === 'From the harbour')).toMatchObject({
      dueAt: '2026-12-01T12:35:00.000Z',
      timezone: 'Asia/Kolkata',
      author: { userId: home.person.personId },
      labels: [{ labelId: label }],
      campaigns: [{ campaignId: campaign }],
    })
    expect((await app.call(listBulk, { params: home.params }, { as: home.person })).imports).toMatchObject([
      { importId: found.importId, state: 'done', counts: { made: 2 } },
    ])
    const { rows } = await app.database.owner.query(
      "select entity, count(*)::int as n from audit where org_id = $1 and action in ('confirmed', 'created') and entity in ('bulk_schedule', 'post') group by entity order by entity",
      [home.orgId],
    )
    expect(rows).toEqual([
      { entity: 'bulk_schedule', n: 1 },
      { entity: 'post', n: 2 },
    ])
  })

  it('have links that are tagged and counted as they are sent, and stay as they were shown', async () => {
    await taxonomyOn(app).campaign(home, 'Tea week')
    const save = (utm_source: string) =>
      app.call(
        setProjectLinks,
        { params: home.params, body: { tags: { utm_source, utm_campaign: '{campaign}' }, shorten: false } },
        { as: home.person },
      )
    await save('a-long-source')
    const found = await bulk.check(home, [
      row('See https://tea.example', { campaign: 'Tea week' }),
      row(`${'a'.repeat(280)} https://tea.example`),
    ])
    expect(found.rows.map(({ errors }) => errors.map(({ column }) => column))).toEqual([[], ['text']])
    await bulk.confirm(home, found)
    await save('later')
    await bulk.land()
    const [made] = await scheduled()
    const post = await app.call(
      getPost,
      { params: { ...home.params, postId: made?.postId ?? '' } },
      { as: home.person },
    )
    expect(post.additionalDetails).toMatchObject({
      linkTags: { utm_source: 'a-long-source', utm_campaign: '{campaign}' },
      shorten: false,
      linkFacts: { channel: 'harbour.example', campaign: 'Tea week' },
    })
  })

  it('show their errors at row and column', async () => {
    await content.channel(home, { handle: '@twin.one' })
    await app.database.owner.query("update channel set name = 'Twin' where project_id = $1", [home.projectId])
    const found = await bulk.check(home, [
      row('x'.repeat(301)),
      row('Where to', { channel: 'nowhere' }),
      row('Which', { channel: 'Twin' }),
      row('When', { date: '03/04/2027', time: '25:00' }),
      row('Past', { date: '2026-11-20' }),
      row('Zone', { timezone: 'GMT+1' }),
      row('Labels', { labels: 'No such', campaign: 'Nor this' }),
      row('File', { media: 'ftp://files.example/a.png' }),
      row('Kind', { postType: 'reel', title: 'A title', firstComment: 'And more' }),
      row('', {}),
    ])
    expect(found).toMatchObject({ ready: 0, wrong: 10 })
    expect(wrong(found, 0)).toEqual([['text', 'The text is 1 character over the limit of 300.']])
    expect(wrong(found, 1)).toEqual([
      ['channel', 'There\'s no channel "nowhere" here, or you don\'t have access to it.'],
    ])
    expect(wrong(found, 2)?.[0]?.[1]).toMatch(/^Several channels are called "Twin"\. Use /)
    expect(wrong(found, 3)).toEqual([
      ['date', '"03/04/2027" is ambiguous. Use 2027-03-04 or 2027-04-03.'],
      ['time', '"25:00" isn\'t a time. Use a format like 09:30 or 9:30 AM.'],
    ])
    expect(wrong(found, 4)).toEqual([['date', 'This time has passed. Choose a later one.']])
    expect(wrong(found, 5)?.map(([column]) => column)).toEqual(['timezone'])
    expect(wrong(found, 6)).toEqual([
      ['labels', 'There\'s no label called "No such". Create it first, or remove it here.'],
      ['campaign', 'There\'s no campaign called "Nor this". Create it first, or remove it here.'],
    ])
    expect(wrong(found, 7)).toEqual([
      ['media', '"ftp://files.example/a.png" isn\'t a web address. Start it with https://.'],
    ])
    expect(wrong(found, 8)?.map(([column]) => column)).toEqual(['postType'])
    expect(wrong(found, 9)?.map(([column]) => column)).toEqual(['text'])
    await expect(bulk.confirm(home, { ...found, ready: 9 })).rejects.toMatchObject({ code: 'STALE_VERSION' })
  })

  it('take an address without an ending for what the kind of post takes', async () => {
    const channelId = await content.channel(home, { handle: 'reels' })
    await app.database.owner.query("update channel set platform = 'instagram' where id = $1", [channelId])
    const found = await bulk.check(home, [
      row('A reel', { channel: 'reels', postType: 'reel', media: 'https://files.example/films/7' }),
      row('A picture', { channel: 'reels', media: 'https://files.example/pictures/7' }),
    ])
    expect([wrong(found, 0), wrong(found, 1)]).toEqual([[], []])
  })

  it('name several channels, by handle, name and id, all or none of which get their post', async () => {
    const second = await content.channel(home, { handle: '@second.example' })
    await app.database.owner.query("update channel set name = 'Tea; and cake' where id = $1", [second])
    const found = await bulk.check(home, [
      row('Both', { channel: 'harbour.example; @second.example' }),
      row('One', { channel: 'tea; AND cake' }),
      row('By id', { channel: second }),
      row('Long', { channel: '@harbour.example | Bluesky: second.example', text: '', firstComment: 'no' }),
    ])
    expect(found.rows.map(({ channels }) => channels.map(({ handle }) => handle))).toEqual([
      ['@harbour.example', '@second.example'],
      ['@second.example'],
      ['@second.example'],
      ['@harbour.example', '@second.example'],
    ])
    await bulk.confirm(home, found)
    await bulk.land()
    expect((await bulk.read(home, found)).rows.map(({ postIds }) => postIds.length).slice(0, 3)).toEqual([2, 1, 1])
  })

  it('warn of what may be meant: the same words twice, clocks that change, a time that has just passed', async () => {
    const found = await bulk.check(home, [
      row('Twice'),
      row('Twice'),
      row('Skipped', { date: '2027-03-28', time: '01:30' }),
      row('Double', { date: '2027-10-31', time: '01:30' }),
      row('Just', { date: '2026-11-21', time: '09:45' }),
    ])
    expect(found.wrong).toBe(0)
    expect([1, 2, 3, 4].map((n) => warned(found, n))).toEqual([
      ['Row 2 has the same text for @harbour.example at the same time.'],
      ["Clocks go forward then, so this time doesn't exist. The post will be published at 02:30."],
      ['Clocks go back then, so this time comes twice. The first one is used.'],
      ['This time has just passed. The post will be published as soon as you confirm.'],
    ])
    expect(found.rows.map(({ dueAt }) => dueAt).slice(2, 4)).toEqual([
      '2027-03-28T01:30:00.000Z',
      '2027-10-31T00:30:00.000Z',
    ])
    await bulk.confirm(home, found)
    await bulk.land()
    expect(warned(await bulk.check(home, [row('Twice')]))).toEqual([
      '@harbour.example already has a post with this text at this time.',
    ])
  })

  it("are refused as a file if the text isn't a table, is too large or lacks a column", async () => {
    const why = async (source: string): Promise<string[]> => {
      const refusal: unknown = await app
        .call(checkBulk, { params: home.params, body: { source } }, { as: home.person })
        .catch((error: unknown) => error)
      return refusal instanceof ApiFailure ? (refusal.problem.errors?.['source'] ?? []) : []
    }
    expect(await why('Text,Channel\r\nHello,@harbour.example')).toEqual(['The column Date is missing.'])
    expect(await why('Text,Channel,Date\r\n"Hello" you,@harbour.example,2026-12-01')).toEqual([
      'Row 2, cell 1: there is text after the closing quotation mark. Double the quotation marks within the cell.',
    ])
    expect(await why('Text,Channel,Date\r\nHello, you,@harbour.example,2026-12-01')).toEqual([
      'Row 2 has 4 cells, but there are 3 columns. Put text that contains a separator in quotation marks.',
    ])
    expect(await why('Text,Caption,Channel,Date')).toEqual(['Two columns are named Text. Remove one of them.'])
    expect(await why('Text,Channel,Date\r\n,,')).toEqual(['It has no rows.'])
    expect(await why(bulkFile(Array.from({ length: 501 }, (_, i) => row(`Row ${i}`))))).toEqual([
      'You can schedule up to 500 rows at once. You have 501.',
    ])
    expect(await why(','.repeat(3_900_000))).toEqual(['Row 1 has more than 16,384 cells.'])
    expect(await why(`Text,Channel,Date\r\n"${'x'.repeat(260_000)}`)).toEqual([
      'Row 2, cell 1: the row is too long. Does it have a quotation mark that is never closed?',
    ])
    expect(await why(bulkFile([row('x'.repeat(60_001))]))).toEqual(['Row 2, Text: This text is too long.'])
    expect((await app.database.owner.query('select 1 from bulk_import where org_id = $1', [home.orgId])).rowCount).toBe(
      0,
    )
  })

  it('are taken as they are pasted, without a header and with empty rows, and semicolons with a byte order mark', async () => {
    const pasted = await bulk.check(home, [], {
      source:
        'He said "hi"\t@harbour.example\t1 Dec 2026\t9:30 AM\n\n"Two\nlines"\t@harbour.example\t2026-12-02 18:00\n',
    })
    expect(pasted.rows.map(({ row: n, cells, dueAt, errors }) => [n, cells.text, dueAt, errors])).toEqual([
      [1, 'He said "hi"', '2026-12-01T09:30:00.000Z', []],
      [3, 'Two\nlines', '2026-12-02T18:00:00.000Z', []],
    ])
    const german = await bulk.check(home, [], {
      source: '\uFEFFKanal;Account;Caption;Date;Time\r\nx;harbour.example;Guten Tag;01.12.2026;9:05\r\n',
    })
    expect(german).toMatchObject({ unknownColumns: ['Kanal'], ready: 1, rows: [{ dueAt: '2026-12-01T09:05:00.000Z' }] })
  })
})

describe('rows in place', () => {
  it('are corrected, skipped and reopened, and an outdated view is refused', async () => {
    const found = await bulk.check(home, [row('x'.repeat(301)), row('Not this one'), row('Fine')])
    const corrected = await bulk.change(home, found, [
      { row: 2, cells: { text: 'Short', date: ' 2026-12-01 ' } },
      { row: 3, skip: true },
    ])
    expect(corrected).toMatchObject({ version: found.version + 1, ready: 2, wrong: 0, counts: { open: 2, skipped: 1 } })
    expect(corrected.rows[0]?.cells).toMatchObject({ text: 'Short', channel: '@harbour.example' })
    await expect(bulk.change(home, found, [{ row: 4, skip: true }])).rejects.toMatchObject({ code: 'STALE_VERSION' })
    await expect(bulk.confirm(home, found)).rejects.toMatchObject({ code: 'STALE_VERSION' })
    await bulk.confirm(home, corrected)
    await bulk.land()
    const done = await bulk.read(home, found)
    expect(done.counts).toMatchObject({ made: 2, skipped: 1 })
    await expect(bulk.change(home, done, [{ row: 2, cells: { text: 'Other' } }])).rejects.toMatchObject({
      code: 'POST_LOCKED',
    })
    const again = await bulk.change(home, done, [{ row: 3 }])
    expect(again).toMatchObject({ ready: 1, state: 'done' })
    await bulk.confirm(home, again)
    await bulk.land()
    expect((await scheduled()).map(({ excerpt }) => excerpt).toSorted()).toEqual(['Fine', 'Not this one', 'Short'])
  })

  it('are checked against the project as it is now', async () => {
    const found = await bulk.check(home, [row('Soon', { date: '2026-11-21', time: '10:30' }), row('Later')])
    expect(found.ready).toBe(2)
    app.clock.advance({ hours: 2 })
    expect(wrong(await bulk.read(home, found))).toEqual([['date', 'This time has passed. Choose a later one.']])
    await expect(bulk.confirm(home, found)).rejects.toMatchObject({
      problem: { code: 'STALE_VERSION', meta: { ready: 1 } },
    })
    expect(await bulk.land()).toBe(0)
  })

  it('go from the list with their import, which leaves its posts', async () => {
    const found = await bulk.check(home, [row('Stays')])
    await bulk.confirm(home, found)
    await expect(
      app.call(removeBulk, { params: { ...home.params, importId: found.importId } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'POST_LOCKED' })
    await bulk.land()
    await app.call(removeBulk, { params: { ...home.params, importId: found.importId } }, { as: home.person })
    await expect(bulk.read(home, found)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await scheduled()).toHaveLength(1)
  })
})

describe('the cap', () => {
  it('refuses a confirmation whole, with the channels, and is said before', async () => {
    await onPlan(app, home, 'free')
    const found = await bulk.check(
      home,
      Array.from({ length: 11 }, (_, i) => row(`Number ${i}`)),
    )
    expect(found).toMatchObject({ ready: 11, refusal: { code: 'SCHEDULE_CAP', channels: ['@harbour.example'] } })
    await expect(bulk.confirm(home, found)).rejects.toMatchObject({
      problem: { code: 'SCHEDULE_CAP', meta: { limit: 10, channels: [{ handle: '@harbour.example' }] } },
    })
    expect(await bulk.land()).toBe(0)
    const ten = await bulk.change(home, found, [{ row: 12, skip: true }])
    expect(ten.refusal).toBeNull()
    await bulk.confirm(home, ten)
    await bulk.land()
    expect(await scheduled()).toHaveLength(10)
  })
})
