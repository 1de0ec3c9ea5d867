import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveDraft } from '#contract/drafts.ts'
import { listPosts } from '#contract/postLists.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { draftBody, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())

/** 60 kB that would take PostgreSQL's text search parser more than 15 s. */
const HOSTILE = '_a'.repeat(30_000)
const AT_ONCE = 24

const save = (home: TestHome, as: TestPerson) =>
  app.send(
    saveDraft,
    { params: { ...home.params, postId: randomUUID() }, body: { version: 0, draft: draftBody({ text: HOSTILE }) } },
    { as },
  )
const month = (home: TestHome) =>
  app.send(
    listPosts,
    { params: home.params, query: { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z', view: 'month' } },
    { as: home.person },
  )

/** Blocks writing posts until it's called: writers keep their connections. */
async function blockWrites(): Promise<() => Promise<void>> {
  const client = await app.database.owner.connect()
  await client.query('begin; lock table post in exclusive mode')
  return async () => {
    await client.query('commit')
    client.release()
  }
}
const blocked = async (): Promise<number> =>
  (await app.database.owner.query("select from pg_locks where not granted and relation = 'post'::regclass")).rowCount ??
  0

describe("while one organization's drafts hold every connection they can get", () => {
  it('another organization can read its month', async () => {
    const [busy, other] = [await app.signedInOwner(), await app.signedInOwner()]
    const post = await postsOn(app, app.database).post(other, await contentOn(app.parts).channel(other))
    const people = [busy.person, await app.colleague(busy, 'editor'), await app.colleague(busy, 'editor')]
    // known as members from here on
    for (const person of people) expect((await save(busy, person)).statusCode).toBe(200)
    const release = await blockWrites()
    const saving = people.flatMap((person) => Array.from({ length: AT_ONCE }, () => save(busy, person)))
    try {
      await until(async () => (await blocked()) >= 5)
      const list = await month(other)
      expect(list.statusCode).toBe(200)
      expect(list.json().posts).toMatchObject([{ postId: post }])
      // none of the drafts has finished yet, and running ones left connections free
      const { totalCount, idleCount, options } = app.database.databases.web
      expect(totalCount - idleCount).toBeLessThan(options.max)
    } finally {
      await release()
    }
    expect(new Set((await Promise.all(saving)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })

  it('a colleague can read the month too', async () => {
    const busy = await app.signedInOwner()
    const colleague = await app.colleague(busy, 'editor')
    expect((await save(busy, busy.person)).statusCode).toBe(200)
    const release = await blockWrites()
    const saving = Array.from({ length: AT_ONCE }, () => save(busy, busy.person))
    try {
      await until(async () => (await blocked()) >= 5)
      expect((await month({ ...busy, person: colleague })).statusCode).toBe(200)
    } finally {
      await release()
    }
    expect(new Set((await Promise.all(saving)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  })
})

it("strangers who name an organization don't use up its share", async () => {
  const [home, stranger] = [await app.signedInOwner(), await app.signedInOwner()]
  const release = await blockWrites()
  const tries = Array.from({ length: AT_ONCE }, () => save(home, stranger.person))
  try {
    expect((await month(home)).statusCode).toBe(200)
    expect(new Set((await Promise.all(tries)).map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
  } finally {
    await release()
  }
})
