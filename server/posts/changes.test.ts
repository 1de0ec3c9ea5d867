import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { saveDraft } from '#contract/drafts.ts'
import { editLabel } from '#contract/labels.ts'
import { listPostChanges, listPosts, rowsOf, type PostChanges, type PostList } from '#contract/postLists.ts'
import { deletePost, reschedulePost } from '#contract/posts.ts'
import { insertMany } from '../db/insertMany.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, draftBody, postsOn } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

/* What changed in a list since its revision: exactly that, and only what the caller may see. */

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
})

type Query = Omit<NonNullable<CallOf<typeof listPosts>['query']>, 'page'>
const MONTH: Query = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', view: 'month' }
const list = (query = MONTH, as = home.person): Promise<PostList> =>
  app.call(listPosts, { params: home.params, query }, { as })
const changes = (since: string, query = MONTH, as = home.person): Promise<PostChanges> =>
  app.call(listPostChanges, { params: home.params, query: { ...query, since } }, { as })
const texts = (reply: PostChanges) => rowsOf(reply).map(({ excerpt }) => excerpt)
const move = (postId: string, utc: string) =>
  app.call(reschedulePost, { params: { ...home.params, postId }, body: { schedule: at(utc) } }, { as: home.person })
const tell = (kind: string, ref: string) =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    insertMany(tx, 'event', [{ at: app.clock.now(), org_id: home.orgId, project_id: home.projectId, kind, ref }]),
  )

/**
 * The first revision from `since` on after which nothing is repeated. Changes are repeated as long as an older
 * transaction is running anywhere on the server, even in another test's database.
 */
async function settled(since: string): Promise<string> {
  let at = since
  return await until(async () => {
    const { posts: told, gone, reset, revision } = await changes(at)
    at = revision
    return told.length + gone.length === 0 && !reset && at
  })
}

describe('changes since a revision', () => {
  it('are the new and changed posts of the list, and the IDs of those that left it', async () => {
    const [moved, away, gone] = [
      await posts.post(home, channel, { text: 'Moved within' }),
      await posts.post(home, channel, { text: 'Moved away' }),
      await posts.post(home, channel, { text: 'Deleted' }),
    ]
    await posts.post(home, channel, { text: 'Untouched' })
    const revision = await settled((await list()).revision)
    await move(moved, '2026-11-28T12:00:00.000Z')
    await move(away, '2026-12-28T12:00:00.000Z')
    await app.call(deletePost, { params: { ...home.params, postId: gone } }, { as: home.person })
    await posts.post(home, channel, { text: 'New' })
    const told = await changes(revision)
    expect([texts(told).toSorted(), told.gone.toSorted(), told.reset]).toEqual([
      ['Moved within', 'New'],
      [away, gone].toSorted(),
      false,
    ])
    expect(rowsOf(told).find(({ postId }) => postId === moved)?.dueAt).toBe('2026-11-28T12:00:00.000Z')
    expect(told.channels.map(({ channelId }) => channelId)).toEqual([channel])
    expect(await changes(await settled(told.revision))).toMatchObject({ posts: [], gone: [], reset: false })
  })

  it('lead from any revision to what the list then is', async () => {
    const held = await list()
    let byId = new Map(rowsOf(held).map((row) => [row.postId, row]))
    let { revision } = held
    const ids: string[] = []
    for (let i = 0; i < 12; i += 1) {
      const earlier = ids[i - 3]
      if (earlier && i % 2 === 0)
        await move(earlier, i % 4 === 0 ? '2026-12-20T12:00:00.000Z' : '2026-11-29T12:00:00.000Z')
      else ids.push(await posts.post(home, channel, { text: `Post ${i}` }))
      const told = await changes(revision)
      revision = told.revision
      byId = new Map([...byId, ...rowsOf(told).map((row) => [row.postId, row] as const)])
      for (const id of told.gone) byId.delete(id)
      const now = rowsOf(await list())
      expect([...byId.values()].toSorted((a, b) => (a.postId < b.postId ? -1 : 1))).toEqual(
        now.toSorted((a, b) => (a.postId < b.postId ? -1 : 1)),
      )
    }
  })

  it('include a transaction that began before the revision and commits after it', async () => {
    const post = await posts.post(home, channel, { text: 'Before' })
    const [held, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = asTenant(app.parts.databases.web, home.orgId, async (tx) => {
      await tx.updateTable('post').set({ excerpt: 'After' }).where('id', '=', post).execute()
      await insertMany(tx, 'event', [
        { at: app.clock.now(), org_id: home.orgId, project_id: home.projectId, kind: 'post', ref: post },
      ])
      written.resolve()
      await held.promise
    })
    await written.promise
    await posts.post(home, channel, { text: 'Meanwhile' })
    const { revision } = await list()
    held.resolve()
    await slow
    expect(texts(await changes(revision))).toContain('After')
  })

  it('hide other channels from a role with named channels, and tell it that a draft left its channels', async () => {
    const own = await content.channel(home)
    const editor = await app.colleague(home, 'editor', { channelIds: [own] })
    const postId = randomUUID()
    const draft = (version: number, channelIds: string[]) =>
      app.call(
        saveDraft,
        {
          params: { ...home.params, postId },
          body: {
            version,
            draft: draftBody({
              channelIds,
              schedule: { mode: 'once', date: '2026-11-25', time: '10:00', timezone: 'Europe/London' },
            }),
          },
        },
        { as: home.person },
      )
    await draft(0, [own])
    const seen = await list(MONTH, editor)
    expect(seen.posts.map((post) => post.postId)).toEqual([postId])
    const foreign = await posts.post(home, channel, { text: 'Not for the editor' })
    await posts.post(home, own, { text: 'For the editor' })
    await draft(1, [channel])
    const told = await changes(seen.revision, MONTH, editor)
    expect([texts(told), told.gone]).toEqual([['For the editor'], [postId]])
    expect(JSON.stringify(told)).not.toContain(foreign)
    expect(told.channels.map(({ channelId }) => channelId)).toEqual([own])
  })

  it('start over after other permissions, another person’s revision, 20 hours, and too many changes', async () => {
    const editor = await app.colleague(home, 'editor')
    const { revision } = await list(MONTH, editor)
    expect(await changes(revision, MONTH, editor)).toMatchObject({ reset: false })
    expect(await changes((await list()).revision, MONTH, editor)).toMatchObject({ reset: true, posts: [] })
    await app.database.owner.query('update project_member set channel_ids = $1 where person_id = $2', [
      [await content.channel(home)],
      editor.personId,
    ])
    await posts.post(home, channel)
    expect(await changes(revision, MONTH, editor)).toMatchObject({ reset: true, posts: [], gone: [] })
    const mine = (await list()).revision
    for (let i = 0; i < 501; i += 100)
      await asTenant(app.parts.databases.web, home.orgId, (tx) =>
        insertMany(
          tx,
          'event',
          Array.from({ length: 100 }, () => ({
            at: app.clock.now(),
            org_id: home.orgId,
            project_id: home.projectId,
            kind: 'post' as const,
            ref: randomUUID(),
          })),
        ),
      )
    expect(await changes(mine)).toMatchObject({ reset: true, posts: [], gone: [] })
    const last = (await list()).revision
    app.clock.advance({ hours: 21 })
    expect(await changes(last)).toMatchObject({ reset: true })
  })

  it('start over when a channel changed, or a label that the list shows or is filtered by', async () => {
    const taxonomy = taxonomyOn(app)
    const label = await taxonomy.label(home)
    const before = await list()
    await app.call(
      editLabel,
      { params: { ...home.params, labelId: label }, body: { labelName: 'Renamed', color: 'blue' } },
      { as: home.person },
    )
    const { view: _, ...full } = MONTH
    expect((await changes(before.revision)).reset).toBe(false)
    expect((await changes(before.revision, { ...MONTH, labels: [label] })).reset).toBe(true)
    expect((await changes(before.revision, full)).reset).toBe(true)
    const again = await list()
    await tell('channel', channel)
    expect((await changes(again.revision)).reset).toBe(true)
  })

  it("refuse an invalid revision, strangers, and people who can't view posts", async () => {
    const { revision } = await list()
    for (const since of ['', '1', 'x'.repeat(40), `${revision}'`])
      await expect(changes(since)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const stranger = await app.signedInOwner()
    await expect(changes(revision, MONTH, stranger.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    expect(
      await app.call(
        listPostChanges,
        { params: stranger.params, query: { ...MONTH, since: revision } },
        { as: stranger.person },
      ),
    ).toMatchObject({ reset: true, posts: [], gone: [] })
  })
})
