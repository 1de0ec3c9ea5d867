import { afterAll, beforeAll, expect, it } from 'vitest'
import { listConversations } from '#contract/inbox/conversations.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received, storeChanges, remoteItem } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { indexAgain } from '../upkeep/reindex.ts'

let app: TestApp
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  home = await app.signedInOwner()
  channel = await contentOn(app.parts).channel(home)
})
afterAll(() => app.close())

const list = async (q: string, as: TestHome = home) =>
  (await app.call(listConversations, { params: as.params, query: { q } }, { as: as.person })).conversations
const found = async (q: string, as: TestHome = home) => (await list(q, as)).map(({ conversationId }) => conversationId)

it('finds what holds a word for each of the search, by its beginning, the newest first', async () => {
  const write = async (text: string, minutesAgo: number) =>
    (
      await received(app, home, {
        channelId: channel,
        text,
        at: new Date(app.clock.now().getTime() - minutesAgo * 60_000),
      })
    ).conversationId
  const older = await write('Two bags of the winter roast, ground for a moka pot, please.', 20)
  const newer = await write('Is the winter roast back? Two friends of mine wait for it.', 10)
  await write('Is the summer roast back?', 5)
  expect(await found('win roa')).toEqual([newer, older])
  // more words than the index is asked for, in any order
  expect(await found('pot moka ground roast winter bags two')).toEqual([older])
  expect(await found('pot moka ground roast winter bags three')).toEqual([])
  expect(await found('oast')).toEqual([])
  expect(await found('?!')).toEqual([])
})

it('reads only what belongs to the project, however frequent the word is elsewhere', async () => {
  const other = await app.signedInOwner()
  const theirs = await contentOn(app.parts).channel(other)
  await app.database.owner.query(
    `with made as (
       insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, status, last_at, last_direction, created_at)
       select $1, uuidv7(), $2, $3, 'comment', 'bulk-' || n, 'CLOSED', $4::timestamptz, 'received', $4::timestamptz from generate_series(1, 2000) n returning id, thread_key)
     insert into inbox_item (org_id, id, conversation_id, channel_id, remote_id, type, direction, text, at, received_at)
     select $1, uuidv7(), id, $3, thread_key, 'COMMENT', 'received', 'A heron in the reeds', $4::timestamptz, $4::timestamptz from made`,
    [other.orgId, other.projectId, theirs, app.clock.now()],
  )
  const { conversationId } = await received(app, home, { channelId: channel, text: 'A heron on the roof' })
  expect(await found('heron')).toEqual([conversationId])
  expect(await found('heron', other)).toHaveLength(50)
  // behind more conversations than are read before the index is asked
  const once = await received(app, other, {
    channelId: theirs,
    text: 'An osprey, once',
    at: new Date(app.clock.now().getTime() - 3_600_000),
  })
  expect(await found('osprey', other)).toEqual([once.conversationId])
  expect(await found('osprey heron', other)).toEqual([])
  expect(await found('osprey')).toEqual([])

  await app.database.owner.query('vacuum analyze inbox_text')
  const { rows } = await app.database.owner.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
    `explain (analyze, buffers, format json)
     select i.conversation_id from inbox_text i where i.words @@ search_query($1, 'heron', 4) and i.project_id = $1`,
    [home.projectId],
  )
  expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(40)
})

/** A text, searches that find it, and what they mark; searches that don't find it. */
const texts: [text: string, finds: Record<string, string[]>, misses?: string[]][] = [
  [
    'Greetings from Mr. Sørensen in Ålborg',
    { sorensen: ['Sørensen'], 'SØRENSEN alb': ['Sørensen', 'Ålb'] },
    ['rensen'],
  ],
  ['Is Mrs. Sorenson back?', { sørenson: ['Sorenson'] }],
  ['A café in Łódź', { cafe: ['café'], café: ['café'], lodz: ['Łódź'] }],
  ['Cafe\u0301 by the sea', { 'café sea': ['Cafe\u0301', 'sea'], cafe: ['Cafe\u0301'] }],
  ['İstanbul ışıkları', { istanbul: ['İstanbul'], isik: ['ışık'], IŞIK: ['ışık'] }],
  ['Große Straße', { grosse: ['Große'], STRASSE: ['Straße'], straß: ['Straß'] }],
  ['Schöne Grüße aus Zürich', { zurich: ['Zürich'], 'schon gru': ['Schön', 'Grü'] }, ['zuerich']],
  ['Ｒｏａｓｔ Ｎｏ．７', { 'roast 7': ['Ｒｏａｓｔ', '７'] }],
  ['ｺｰﾋｰをください', { コーヒー: ['ｺｰﾋｰ'], ﾋ: ['ﾋ'] }],
  [
    '冬の焙煎はいつ戻りますか',
    { 焙煎: ['焙煎'], 煎: ['煎'], いつ戻り: ['いつ戻り'], 'か 冬': ['冬', 'か'] },
    ['焙り', '夏'],
  ],
  ['我要买iPhone15手机壳', { 手机: ['手机'], iphone: ['iPhone'], '壳 买': ['买', '壳'] }, ['机手']],
  [
    '커피를 주문했어요',
    { 커피: ['커피'], 주문: ['주문'], 문했: ['문했'], ['커피를'.normalize('NFD')]: ['커피를'] },
    ['피커'],
  ],
  ['ร้านกาแฟนี้ดีมาก', { กาแฟ: ['กาแฟ'], ดี: ['ดี'], แ: ['แ'] }, ['ฟกา']],
  ['Καλημέρα, ο καφές', { καλημερα: ['Καλημέρα'], ΚΑΦΕΣ: ['καφές'] }],
  ['Ёлка и чай', { елка: ['Ёлка'], чай: ['чай'] }],
  ['Tiếng Việt, Đà Nẵng', { 'da nang': ['Đà', 'Nẵng'], viet: ['Việt'] }],
  ['السَّلامُ عليكم', { السلام: ['السَّلامُ'] }],
  ['הַקָפֶה טוב', { הקפה: ['הַקָפֶה'] }],
  ['हिन्दी में', { हिन्दी: ['हिन्दी'], में: ['में'] }],
  ['The file has a ﬁne ligature', { fine: ['ﬁne'] }],
  ['🐦 flew away', { fle: ['fle'] }, ['🐦']],
]

it.each(texts)('finds %j without accents, in any form and script, and says where', async (text, finds, misses = []) => {
  const { conversationId } = await received(app, home, { channelId: channel, text, from: 'quentin' })
  for (const [search, marked] of Object.entries(finds)) {
    const one = (await list(search)).find((each) => each.conversationId === conversationId)
    expect(one?.hit?.text, search).toBe(text)
    expect(
      one?.hit?.marks.map(([from, to]) => text.slice(from, to)),
      search,
    ).toEqual(marked)
  }
  for (const search of misses) expect(await found(search), search).not.toContain(conversationId)
})

it('finds in closed conversations as well, and shows the newest item with all words, in a part of its text', async () => {
  const long = `${'Something else entirely. '.repeat(20)}And the marten ate a plum${' and more of it'.repeat(20)}`
  const minutes = (n: number) => new Date(app.clock.now().getTime() - n * 60_000)
  const { conversationId, itemId } = await received(app, home, {
    channelId: channel,
    remoteId: 'marten',
    text: long,
    at: minutes(9),
    from: 'marta',
  })
  await storeChanges(app, home, channel, [
    remoteItem({
      channelId: channel,
      remoteId: 'later',
      threadKey: 'marten',
      text: 'A marten?',
      at: minutes(8),
      from: 'marta',
    }),
  ])
  await app.database.owner.query("update conversation set status = 'CLOSED' where id = $1", [conversationId])
  const [one] = await list('marten plu')
  expect(one).toMatchObject({ conversationId, status: 'CLOSED', preview: 'A marten?' })
  const hit = one?.hit
  expect(hit?.itemId).toBe(itemId)
  expect(hit?.marks.map(([from, to]) => hit.text.slice(from, to))).toEqual(['marten', 'plu'])
  expect(hit?.text).toMatch(/^….*And the marten ate a plum and more.*…$/)
  expect(hit?.text.length).toBeLessThan(165)
  // found by the author's name alone
  expect((await list('marta')).map(({ hit: none }) => none)).toEqual([null])
  expect(
    (await app.call(listConversations, { params: home.params, query: {} }, { as: home.person })).conversations[0]?.hit,
  ).toBeNull()
})

it('indexes again what an earlier version indexed', async () => {
  const { conversationId, itemId } = await received(app, home, { channelId: channel, text: 'Čaj or чай' })
  await app.database.owner.query(
    "update inbox_text set folded = false, words = array_to_tsvector(array[search_prefix(project_id) || 'čaj']) where item_id = $1",
    [itemId],
  )
  expect(await found('caj')).toEqual([])
  expect(await indexAgain({ databases: app.parts.databases, signal: new AbortController().signal })).toBe(1)
  expect(await found('caj')).toEqual([conversationId])
  expect(await indexAgain({ databases: app.parts.databases, signal: new AbortController().signal })).toBe(0)
})
