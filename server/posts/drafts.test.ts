import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLabel } from '#contract/labels.ts'
import { deleteDraft, saveDraft, type DraftBody } from '#contract/drafts.ts'
import { listPosts } from '#contract/postLists.ts'
import { getPost, reschedulePost, restorePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { listWorkflows } from '#contract/workflows.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { draftBody, NOW, postsOn, TOMORROW } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let postId: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  postId = randomUUID()
})

const save = (version: number, draft: DraftBody = draftBody(), as: TestPerson = home.person, at = home.params) =>
  app.call(saveDraft, { params: { ...at, postId }, body: { version, draft } }, { as })
const read = (as = home.person) => app.call(getPost, { params: { ...home.params, postId } }, { as })
const drafts = (as: TestPerson) =>
  app.call(listPosts, { params: home.params, query: { status: ['DRAFTS'], page: 1 } }, { as })
const discard = (as = home.person) => app.call(deleteDraft, { params: { ...home.params, postId } }, { as })

describe('a draft', () => {
  it('is created by its first save and updated by the next', async () => {
    expect(await save(0)).toEqual({ version: 1, savedAt: app.clock.now().toISOString() })
    const more = draftBody({
      text: 'A better thought',
      schedule: { mode: 'once', date: '2026-12-24', time: '18:00', timezone: 'Europe/Berlin' },
      additionalDetails: { linkCard: null },
    })
    expect(await save(1, more)).toMatchObject({ version: 2 })
    expect(await read()).toMatchObject({
      status: 'DRAFTS',
      draft: more,
      excerpt: 'A better thought',
      channel: null,
      dueAt: '2026-12-24T17:00:00.000Z',
      timezone: 'Europe/Berlin',
      version: 2,
      author: { userId: home.person.personId },
    })
    expect(await posts.row(postId)).toMatchObject({ step_at: null })
    expect(await posts.story(postId)).toEqual(['created'])
  })

  it('needs no channel: it is stored, read, listed and changed, and takes one later', async () => {
    const draft = draftBody({ text: 'Before any account is connected', channelIds: [] })
    await save(0, draft)
    const expected = { postId, status: 'DRAFTS', excerpt: draft.text }
    expect(await read()).toMatchObject({ ...expected, draft, channel: null, draftChannels: [], failure: null })
    expect((await drafts(home.person)).posts).toMatchObject([expected])
    await save(1, { ...draft, text: 'Still none' })
    expect((await read()).draft).toEqual({ ...draft, text: 'Still none' })
    const channelId = await content.channel(home)
    await save(2, draftBody({ channelIds: [channelId] }))
    expect((await drafts(home.person)).posts).toMatchObject([{ postId }])
    expect((await read()).channel).toMatchObject({ channelId })
  })

  it("isn't published without a channel, and stays as it was", async () => {
    await save(0, draftBody({ channelIds: [] }))
    const submit = app.call(
      submitPost,
      { params: home.params, body: { intent: 'PUBLISH', channels: [], schedule: NOW, draftId: postId } },
      { as: home.person },
    )
    await expect(submit).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { channels: [expect.any(String)] } },
    })
    expect(await read()).toMatchObject({ status: 'DRAFTS', version: 1, draft: draftBody({ channelIds: [] }) })
  })

  it('belongs to its channel when it has one', async () => {
    const [one, two] = [await content.channel(home), await content.channel(home)]
    await save(0, draftBody({ channelIds: [one] }))
    expect((await read()).channel?.channelId).toBe(one)
    await save(1, draftBody({ channelIds: [one, two] }))
    expect((await read()).channel).toBeNull()
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [two])
    await save(2, draftBody({ channelIds: [two] }))
    expect((await read()).channel).toBeNull()
  })

  it('can contain what no platform accepts, and an incomplete time', async () => {
    await save(
      0,
      draftBody({
        text: 'x'.repeat(5000),
        schedule: { mode: 'once', date: '2026-02-31', time: '9', timezone: 'Nowhere' },
      }),
    )
    expect(await read()).toMatchObject({ dueAt: null, timezone: 'Europe/London' })
  })

  it('is not overwritten when it changed elsewhere: the refusal names the fields', async () => {
    const channelId = await content.channel(home)
    await save(0)
    await save(1, draftBody({ text: 'From the other tab' }))
    await expect(save(1, draftBody({ text: 'From this tab', channelIds: [channelId] }))).rejects.toMatchObject({
      code: 'STALE_VERSION',
      problem: { meta: { version: 2, fields: ['text', 'channelIds'] } },
    })
    expect((await read()).draft?.text).toBe('From the other tab')
  })

  it('can be saved again with the same text when the answer was lost', async () => {
    await save(0)
    expect(await save(0)).toMatchObject({ version: 1 })
    await save(1, draftBody({ text: 'Second' }))
    expect(await save(1, draftBody({ text: 'Second' }))).toMatchObject({ version: 2 })
  })

  it('is created once when two tabs save it at the same time', async () => {
    const outcomes = await Promise.allSettled(['One', 'Two', 'Three'].map((text) => save(0, draftBody({ text }))))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'STALE_VERSION' })
    expect(await posts.story(postId)).toEqual(['created'])
  })

  it('refuses a save that names a version of a draft that was never created', async () => {
    await expect(save(3)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is deleted, and the deletion undone', async () => {
    await save(0)
    await discard()
    await expect(save(1, draftBody({ text: 'late' }))).rejects.toMatchObject({
      code: 'POST_LOCKED',
      problem: { detail: "This post was deleted. You can't change it here anymore." },
    })
    await app.call(restorePost, { params: { ...home.params, postId } }, { as: home.person })
    expect(await read()).toMatchObject({ status: 'DRAFTS', draft: { text: 'A thought' } })
  })

  it("can't be deleted as a draft once it was submitted", async () => {
    const channel = await content.channel(home)
    postId = await posts.post(home, channel)
    await expect(discard()).rejects.toMatchObject({ code: 'POST_LOCKED' })
    await expect(save(1)).rejects.toMatchObject({ code: 'POST_LOCKED' })
  })
})

describe('drafts of others', () => {
  it('without a channel are hidden from roles with named channels, whose own stay theirs', async () => {
    const channelIds = [await content.channel(home)]
    const author = await app.colleague(home, 'user', { channelIds })
    const bound = await app.colleague(home, 'editor', { channelIds })
    const none = await app.colleague(home, 'none')
    await save(0, draftBody({ channelIds: [] }), author)
    const ofAuthor = [{ postId, excerpt: 'A thought' }]
    expect((await drafts(author)).posts).toMatchObject(ofAuthor)
    // a role with all channels sees all drafts, as it sees all posts
    expect((await drafts(home.person)).posts).toMatchObject(ofAuthor)
    expect((await drafts(bound)).posts).toEqual([])
    await expect(read(bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(save(1, draftBody({ text: 'Not mine' }), bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(discard(bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(save(1, draftBody({ text: 'No' }), none)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(discard(none)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await save(1, draftBody({ text: 'Mine', channelIds: [] }), author)
    expect((await read(author)).draft?.text).toBe('Mine')
  })

  it('can be changed by editors, not by Users', async () => {
    await save(0)
    const [editor, user] = [await app.colleague(home, 'editor'), await app.colleague(home, 'user')]
    await save(1, draftBody({ text: 'Edited' }), editor)
    await expect(save(2, draftBody({ text: 'No' }), user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(discard(user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await read(user)).draft?.text).toBe('Edited')
    const none = await app.colleague(home, 'none')
    await expect(save(2, draftBody(), none)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('are not found in another tenant or project', async () => {
    await save(0, draftBody({ channelIds: [] }))
    const elsewhere = await app.signedInOwner()
    // the same ID in another organization is a different draft
    await save(0, draftBody({ text: 'Theirs' }), elsewhere.person, elsewhere.params)
    expect((await read()).draft?.text).toBe('A thought')
    const sibling = await app.project(home.orgId, home.person)
    await expect(
      save(1, draftBody({ text: 'No' }), home.person, { orgId: home.orgId, projectId: sibling.projectId }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(save(1, draftBody({ text: 'No' }), elsewhere.person)).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
  })

  it('are off limits to Users, who keep and delete only their own', async () => {
    const user = await app.colleague(home, 'user')
    await save(0, draftBody(), user)
    await save(1, draftBody({ text: 'Mine' }), user)
    await discard(user)
    expect(await posts.row(postId)).toMatchObject({ state: 'DELETED' })
  })
})

describe('a draft for several channels', () => {
  it('keeps threads, variants, labels and campaigns, and shows one channel its variant', async () => {
    const [one, two] = [await content.channel(home), await content.channel(home)]
    const { labelId } = await app.call(
      createLabel,
      { params: home.params, body: { labelName: 'Spring', color: 'green' } },
      { as: home.person },
    )
    const picture = await content.picture(home)
    const draft = draftBody({
      text: 'For all',
      channelIds: [one, two],
      thread: [{ text: 'And more', media: [] }],
      firstComment: 'First',
      labelIds: [labelId],
      workflowId: null,
      variants: { [two]: { contents: [{ text: 'For the second', media: [{ assetId: picture }] }] } },
      schedule: {
        mode: 'weekly',
        date: '2026-12-01',
        time: '09:00',
        timezone: 'Europe/London',
        endDate: '2026-12-31',
        daysOfWeek: [1, 3],
      },
    })
    await save(0, draft)
    const read1 = await read()
    expect(read1).toMatchObject({
      draft,
      excerpt: 'For all',
      channel: null,
      dueAt: '2026-12-01T09:00:00.000Z',
      labels: [{ labelId }],
    })
    expect(read1.contents.map(({ text }) => text)).toEqual(['For all', 'And more'])
    expect(
      (await app.database.owner.query('select asset_id from post_asset where post_id = $1', [postId])).rows,
    ).toEqual([{ asset_id: picture }])
    await save(1, { ...draft, channelIds: [two], labelIds: [] })
    expect(await read()).toMatchObject({ excerpt: 'For the second', channel: { channelId: two }, labels: [] })
  })

  it('contains nothing of another organization: channels and workflows are refused, labels and campaigns skipped', async () => {
    const elsewhere = await app.signedInOwner()
    await app.database.owner.query("update plan set plan_id = 'team', status = 'ACTIVE' where org_id = any($1)", [
      [home.orgId, elsewhere.orgId],
    ])
    const [channelId, foreign] = [await content.channel(home), await content.channel(elsewhere)]
    const { workflows } = await app.call(listWorkflows, { params: elsewhere.params }, { as: elsewhere.person })
    const workflowId = workflows[0]?.workflowId ?? ''
    const taxonomy = taxonomyOn(app)
    const [own, label, campaign] = [
      await taxonomy.label(home),
      await taxonomy.label(elsewhere),
      await taxonomy.campaign(elsewhere),
    ]
    for (const [field, draft] of [
      ['draft.channelIds', draftBody({ channelIds: [foreign] })],
      ['draft.channelIds', draftBody({ channelIds: [randomUUID()] })],
      ['draft.channelIds', draftBody({ channelIds: [channelId], variants: { [foreign]: { postType: 'post' } } })],
      ['draft.workflowId', draftBody({ workflowId })],
    ] as const)
      await expect(save(0, draft)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { [field]: [expect.any(String)] } },
      })
    await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' })

    const draft = draftBody({ labelIds: [own, label], campaignIds: [campaign] })
    expect(await save(0, draft)).toMatchObject({ version: 1 })
    expect((await read()).draft).toMatchObject({ labelIds: [own], campaignIds: [] })
    // the same save again changes nothing
    expect(await save(1, draft)).toMatchObject({ version: 1 })
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [channelId])
    expect(await save(1, draftBody({ channelIds: [channelId] }))).toMatchObject({ version: 2 })
  })

  it("names no channel that the role can't access", async () => {
    const [reached, hidden] = [await content.channel(home), await content.channel(home)]
    const bound = await app.colleague(home, 'user', { channelIds: [reached] })
    const call = (channelIds: string[]) =>
      app.call(
        saveDraft,
        { params: { ...home.params, postId: randomUUID() }, body: { version: 0, draft: draftBody({ channelIds }) } },
        { as: bound },
      )
    await expect(call([hidden])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await call([reached])
    // a channel that the role has lost since may stay until it's deselected
    await save(0, draftBody({ channelIds: [reached] }), bound)
    await app.database.owner.query('update project_member set channel_ids = $1 where person_id = $2', [
      [hidden],
      bound.personId,
    ])
    await app.database.owner.query('update post set channel_id = null where id = $1', [postId])
    expect(await save(1, draftBody({ channelIds: [reached], text: 'More' }), bound)).toMatchObject({ version: 2 })
  })

  it('is saved with a label that no longer exists, which the submit then refuses', async () => {
    const channelId = await content.channel(home)
    const gone = randomUUID()
    expect(await save(0, draftBody({ labelIds: [gone] }))).toMatchObject({ version: 1 })
    const submit = app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent: 'SCHEDULE',
          channels: [{ channelId, postType: 'post', contents: [{ text: 'Hello', media: [] }] }],
          schedule: TOMORROW,
          labels: [gone],
          draftId: postId,
        },
      },
      { as: home.person },
    )
    await expect(submit).rejects.toMatchObject({
      code: 'NOT_FOUND',
      problem: { errors: { labels: ['One of these labels no longer exists.'] } },
    })
    expect((await read()).status).toBe('DRAFTS')
  })

  it('keeps its labels when it was a post before', async () => {
    const channelId = await content.channel(home)
    const { labelId } = await app.call(
      createLabel,
      { params: home.params, body: { labelName: 'Spring', color: 'green' } },
      { as: home.person },
    )
    const reply = await app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent: 'SCHEDULE',
          channels: [{ channelId, postType: 'post', contents: [{ text: 'Hello', media: [] }] }],
          schedule: TOMORROW,
          labels: [labelId],
        },
      },
      { as: home.person },
    )
    const id = reply.posts[0]?.postId ?? ''
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId: id }, body: { schedule: { type: 'DRAFT' } } },
      { as: home.person },
    )
    const post = await app.call(getPost, { params: { ...home.params, postId: id } }, { as: home.person })
    expect(post.draft).toMatchObject({
      labelIds: [labelId],
      channelIds: [channelId],
      schedule: { mode: 'once', date: '2026-11-22', time: '09:30' },
    })
  })
})
