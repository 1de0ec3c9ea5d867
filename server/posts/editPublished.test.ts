import type { Reason } from '#contract/failures/catalog.ts'
import { putDelivery } from '../testing/deliveries.ts'
import { saying } from '../testing/reasons.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { editPost, getPost, retryPost, settlePost } from '#contract/posts.ts'
import type { Platform, Publish } from '../platforms/platform.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

/* Changing a live post and its follow-ups: by people, through the API. */

let app: TestApp
let home: TestHome
let platform: Platform | undefined
let channelId: string

beforeAll(async () => {
  app = await startApp({ parts: (own) => ({ ...own, platforms: () => platform }) })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
  channelId = await contentOn(app.parts).channel(home)
  platform = scriptedPlatform()
})

type Edit = NonNullable<Publish['edit']>
const reason: Reason = saying('A reason.', 'An advice.')

function takingEdits(answer: () => Awaited<ReturnType<Edit>>): { said: string[] } {
  const said: string[] = []
  const scripted = scriptedPlatform()
  platform = {
    ...scripted,
    publish: {
      ...scripted.publish,
      edit: async (_reach, _secret, _account, post) => {
        said.push(post.contents[0]?.text ?? '')
        return answer()
      },
    },
  }
  return { said }
}

async function live(columns: Record<string, unknown> = {}): Promise<string> {
  const id = crypto.randomUUID()
  const row = {
    org_id: home.orgId,
    id,
    project_id: home.projectId,
    channel_id: channelId,
    author_id: home.person.personId,
    state: 'PUBLISHED',
    post_type: 'post',
    contents: '[{"text":"before","media":[]}]',
    schedule: '{"type":"NOW"}',
    zone: 'Europe/Berlin',
    due_at: app.clock.now(),
    shown_at: app.clock.now(),
    created_at: app.clock.now(),
    updated_at: app.clock.now(),
    published_at: app.clock.now(),
    remote_id: 'remote',
    ...columns,
  }
  await app.database.owner.query(
    `insert into post (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map((_, i) => `$${i + 1}`)
      .join(', ')})`,
    Object.values(row),
  )
  await putDelivery(app.database.owner, id, { send_key: 'key', state: 'sent' })
  return id
}
const read = (postId: string) => app.call(getPost, { params: { ...home.params, postId } }, { as: home.person })
const say = (postId: string, text: string, more: object = {}) =>
  app.call(
    editPost,
    { params: { ...home.params, postId }, body: { version: 1, contents: [{ text, media: [] }], ...more } },
    { as: home.person },
  )

it('changes the post on its platform first, then here', async () => {
  const { said } = takingEdits(() => ({ kind: 'edited', remoteId: 'another' }))
  const id = await live()
  expect(await say(id, 'after')).toMatchObject({ version: 2, status: 'PUBLISHED', changed: 1 })
  expect(said).toEqual(['after'])
  expect(await read(id)).toMatchObject({
    contents: [{ text: 'after' }],
    objectId: 'another',
    excerpt: 'after',
    warning: null,
  })
  expect((await read(id)).timeline.at(-1)).toMatchObject({ kind: 'edited', note: 'Changed on the platform, too.' })
})

it("is refused without any change if the platform doesn't accept changes", async () => {
  const id = await live()
  await expect(say(id, 'after')).rejects.toMatchObject({ code: 'POST_LOCKED' })
  expect((await read(id)).contents).toMatchObject([{ text: 'before' }])
})

it.each([
  ['rejected', 'CHANNEL_REFUSED'],
  ['retry', 'CHANNEL_UNREACHABLE'],
] as const)('leaves ours alone when the platform answers %s', async (kind, code) => {
  takingEdits(() => ({ kind, reason }))
  const id = await live()
  await expect(say(id, 'after')).rejects.toMatchObject({ code })
  app.clock.advance({ minutes: 10 })
  expect(await read(id)).toMatchObject({ contents: [{ text: 'before' }], version: 1, warning: null })
})

it("is shown as unconfirmed when its answer was lost, until it's saved again", async () => {
  let lost = true
  takingEdits(() => (lost ? { kind: 'unknown', reason } : { kind: 'edited', remoteId: 'remote' }))
  const id = await live()
  await expect(say(id, 'after')).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  app.clock.advance({ minutes: 10 })
  expect(await read(id)).toMatchObject({
    contents: [{ text: 'before' }],
    warning: expect.stringContaining('whether the last change'),
  })
  lost = false
  await say(id, 'after')
  expect(await read(id)).toMatchObject({ contents: [{ text: 'after' }], warning: null })
})

it('runs one change at a time: a second one waits for the first', async () => {
  let release: () => void = () => {}
  const asked = new Promise<void>((resolve) => (release = resolve))
  const { said } = takingEdits(() => ({ kind: 'edited', remoteId: 'remote' }))
  const { edit } = platform?.publish ?? {}
  if (!platform || !edit) throw new Error('the platform takes changes')
  platform = {
    ...platform,
    publish: { ...platform.publish, edit: async (...call) => (await asked, await edit(...call)) },
  }
  const id = await live()
  const first = say(id, 'first')
  await until(
    async () =>
      (
        await app.database.owner.query(
          "select from delivery where subject_id = $1 and subject = 'edit' and step = 'reconcile'",
          [id],
        )
      ).rowCount === 1,
  )
  await expect(say(id, 'second')).rejects.toMatchObject({
    code: 'POST_LOCKED',
    problem: { detail: 'This post is being updated on its platform. Wait a moment, then check it again.' },
  })
  release()
  expect(await first).toMatchObject({ version: 2 })
  expect(said).toEqual(['first'])
  expect(await read(id)).toMatchObject({ contents: [{ text: 'first' }], warning: null })
  await say(id, 'second', { version: 2 })
  expect(said).toEqual(['first', 'second'])
})

it('can be repeated minutes after a process died in the middle of it', async () => {
  const { said } = takingEdits(() => ({ kind: 'edited', remoteId: 'remote' }))
  const id = await live()
  await app.database.owner.query(
    "insert into delivery (org_id, channel_id, subject, subject_id, step, step_at, wanted_at, fence) values ($1, $2, 'edit', $3, 'reconcile', $4::timestamptz + interval '75 seconds', $4, 2)",
    [home.orgId, channelId, id, app.clock.now()],
  )
  await expect(say(id, 'after')).rejects.toMatchObject({ code: 'POST_LOCKED' })
  app.clock.advance({ minutes: 4 })
  await say(id, 'after')
  expect(said).toEqual(['after'])
})

it('leaves nothing unconfirmed when the request never left', async () => {
  takingEdits(() => ({ kind: 'edited', remoteId: 'remote' }))
  const id = await live()
  await app.database.owner.query('delete from channel_secret where channel_id = $1', [channelId])
  await expect(say(id, 'after')).rejects.toMatchObject({ code: 'CHANNEL_REFUSED' })
  app.clock.advance({ minutes: 10 })
  expect(await read(id)).toMatchObject({ contents: [{ text: 'before' }], warning: null })
})

it('passes files on by URLs that a platform can download', async () => {
  const urls: (string | null)[] = []
  takingEdits(() => ({ kind: 'edited', remoteId: 'remote' }))
  const { edit } = platform?.publish ?? {}
  if (!platform || !edit) throw new Error('the platform takes changes')
  platform = {
    ...platform,
    publish: {
      ...platform.publish,
      edit: async (...call) => (
        urls.push(...(call[3].contents[0]?.media.map((file) => file.url()) ?? [])),
        await edit(...call)
      ),
    },
  }
  const id = await live()
  const assetId = await contentOn(app.parts).picture(home)
  await say(id, 'after', { contents: [{ text: 'after', media: [{ assetId }] }] })
  const [address] = urls
  expect(address).toMatch(/^http:\/\/rookery\.test\/api\/media\/file\//)
  const answer = await app.app.inject({ method: 'GET', url: new URL(address ?? '').pathname })
  expect(answer.statusCode).toBe(200)
})

it('refuses an older version, a thread and a first comment', async () => {
  const { said } = takingEdits(() => ({ kind: 'edited', remoteId: 'remote' }))
  const id = await live()
  await expect(say(id, 'after', { version: 7 })).rejects.toMatchObject({ code: 'STALE_VERSION' })
  await expect(say(id, 'after', { firstComment: 'new' })).rejects.toMatchObject({ code: 'POST_LOCKED' })
  await expect(
    say(id, 'after', {
      contents: [
        { text: 'after', media: [] },
        { text: 'more', media: [] },
      ],
    }),
  ).rejects.toMatchObject({ code: 'POST_LOCKED' })
  await expect(say(id, 'a'.repeat(301))).rejects.toMatchObject({ code: 'POST_REFUSED' })
  expect(said).toEqual([])
})

it('shows follow-ups; a retry continues the failed ones, and a person resolves the unconfirmed ones', async () => {
  const id = await live({
    contents: '[{"text":"one","media":[]},{"text":"two","media":[]}]',
    first_comment: 'comment',
    warning: JSON.stringify([saying('Failed to create thread item 2: A reason.')]),
  })
  const part = (key: string, place: number, kind: string, item: number | null, state: string) =>
    app.database.owner.query(
      "insert into delivery (org_id, channel_id, subject, subject_id, key, place, details, send_key, state, failure, wanted_at) select org_id, channel_id, 'follow-up', id, $2, $3, $4, $2, $5, $6, due_at from post where id = $1",
      [
        id,
        key,
        place,
        JSON.stringify({ kind, ...(item !== null && { item }) }),
        state,
        state === 'failed' ? JSON.stringify(saying('A reason.')) : null,
      ],
    )
  await part('item 1', 0, 'item', 1, 'failed')
  await part('comment', 1, 'comment', null, 'waiting')
  expect((await read(id)).parts).toEqual([
    { key: 'item 1', name: 'thread item 2', state: 'failed', reason: 'A reason.' },
    { key: 'comment', name: 'first comment', state: 'waiting', reason: null },
  ])
  const params = { ...home.params, postId: id }
  await expect(
    app.call(settlePost, { params, body: { outcome: 'published' } }, { as: home.person }),
  ).rejects.toMatchObject({ code: 'POST_LOCKED' })
  expect(await app.call(retryPost, { params }, { as: home.person })).toEqual({ message: 'Post sent for processing' })
  expect(await read(id)).toMatchObject({
    status: 'PUBLISHED',
    warning: null,
    parts: [{ state: 'waiting' }, { state: 'waiting' }],
  })
  await expect(app.call(retryPost, { params }, { as: home.person })).rejects.toMatchObject({ code: 'POST_LOCKED' })
  await app.database.owner.query(
    "update delivery set step = null, step_at = null, state = 'unsure' where subject_id = $1 and key = 'item 1'",
    [id],
  )
  await app.call(settlePost, { params, body: { outcome: 'published' } }, { as: home.person })
  expect(await read(id)).toMatchObject({ parts: [{ state: 'sent' }, { state: 'waiting' }] })
  const { rows } = await app.database.owner.query(
    'select step, key from delivery where subject_id = $1 and step is not null',
    [id],
  )
  expect(rows).toEqual([{ step: 'send', key: 'comment' }])
})
