import { afterAll, beforeAll, expect, it } from 'vitest'
import { listConversations } from '#contract/inbox/conversations.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  home = await app.signedInOwner()
  channel = await contentOn(app.parts).channel(home)
})
afterAll(() => app.close())

const found = async (q: string, as: TestHome = home) =>
  (await app.call(listConversations, { params: as.params, query: { q } }, { as: as.person })).conversations.map(
    ({ conversationId }) => conversationId,
  )

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

  await app.database.owner.query('vacuum analyze inbox_text')
  const { rows } = await app.database.owner.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
    `explain (analyze, buffers, format json)
     select i.conversation_id from inbox_text i where i.words @@ search_query($1, 'heron', 4) and i.project_id = $1`,
    [home.projectId],
  )
  expect(rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']).toBeLessThan(40)
})
