import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as contract from '#contract/discussions.ts'
import { listNotices, setNoticePreference } from '#contract/notices.ts'
import { addNote, deleteNote, editNote, noteReplies, replyToNote } from '#contract/postNotes.ts'
import { removeFromProject } from '#contract/members.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let home: TestHome
let channel: string
let editor: TestPerson
let user: TestPerson
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await contentOn(app.parts).channel(home)
  editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
  user = await app.colleague(home, 'user', { firstName: 'Uli' })
})

type New = Partial<Parameters<typeof body>[0]>
const body = (
  more: { title?: string; text?: string; memberIds?: string[]; mentions?: string[] } & Record<string, unknown>,
) => ({
  title: 'Launch',
  text: 'When do we launch?',
  ...more,
})
const start = async (more: New = {}, as: TestPerson = editor) =>
  (await app.call(contract.createDiscussion, { params: home.params, body: body(more) }, { as })).discussionId
const at = (discussionId: string) => ({ params: { ...home.params, discussionId } })
const list = async (as: TestPerson = editor, query: Record<string, unknown> = {}) =>
  (await app.call(contract.listDiscussions, { params: home.params, query }, { as })).discussions
const get = (id: string, as: TestPerson = editor) => app.call(contract.getDiscussion, at(id), { as })
const notes = async (id: string, as: TestPerson = editor) =>
  (await app.call(contract.discussionNotes, at(id), { as })).notes
const say = async (discussionId: string, as: TestPerson, text = 'On Monday', mentions: string[] = []) =>
  (await app.call(addNote, { params: home.params, body: { discussionId, text, mentions } }, { as })).noteId
const resolve = (id: string, resolved: boolean, as: TestPerson = editor) =>
  app.call(contract.resolveDiscussion, { ...at(id), body: { resolved } }, { as })
const remove = (id: string, as: TestPerson = editor) => app.call(contract.deleteDiscussion, at(id), { as })
const told = async (as: TestPerson) =>
  (await app.call(listNotices, { params: home.params, query: { topic: 'discussions' } }, { as })).notices.map(
    ({ title, body: text, link }) => ({ title, body: text, link }),
  )
const titles = async (as: TestPerson) => (await told(as)).map(({ title }) => title)

describe('a discussion', () => {
  it('begins with a message, and everyone who writes or is mentioned takes part', async () => {
    const id = await start({ memberIds: [user.personId] })
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ action: 'created', entity: 'discussion', entity_id: id })
    app.clock.advance({ minutes: 1 })
    const noteId = await say(id, home.person, 'Monday, @Edda', [editor.personId])
    app.clock.advance({ minutes: 1 })
    await app.call(replyToNote, { params: home.params, body: { noteId, text: 'Fine' } }, { as: editor })
    expect(await list(user)).toEqual([
      {
        discussionId: id,
        title: 'Launch',
        about: null,
        author: { userId: editor.personId, name: 'Edda editor', profileUrl: null },
        members: expect.arrayContaining(
          [editor, user, home.person].map(({ personId }) => expect.objectContaining({ userId: personId })),
        ),
        messages: 3,
        createdAt: expect.any(String),
        lastAt: app.clock.now().toISOString(),
        resolved: null,
        mayDelete: false,
      },
    ])
    expect((await notes(id, user)).map(({ text, replies }) => [text, replies])).toEqual([
      ['When do we launch?', 0],
      ['Monday, @Edda', 1],
    ])
    expect((await app.call(noteReplies, { params: { ...home.params, noteId } }, { as: user })).replies).toHaveLength(1)
  })

  it('notifies those who take part, by their choice, with a link to it', async () => {
    const id = await start({ memberIds: [user.personId, home.person.personId] })
    expect(await told(user)).toEqual([
      {
        title: 'Edda editor wrote in “Launch”',
        body: 'When do we launch?',
        link: `/${home.orgId}/project/${home.projectId}/discussions?d=${id}`,
      },
    ])
    expect(await told(editor)).toEqual([])
    await app.call(setNoticePreference, { body: { topic: 'discussions', inApp: false, mail: false } }, { as: user })
    const noteId = await say(id, editor, 'And @Uli?', [user.personId])
    expect(await titles(user)).toHaveLength(1)
    await app.call(setNoticePreference, { body: { topic: 'discussions', inApp: true, mail: false } }, { as: user })
    await app.call(
      editNote,
      { params: { ...home.params, noteId }, body: { text: 'And the owner?', mentions: [home.person.personId] } },
      { as: editor },
    )
    await resolve(id, true)
    expect(await titles(user)).toEqual(['Edda editor resolved a discussion', 'Edda editor wrote in “Launch”'])
    expect(await titles(home.person)).toContain('Edda editor mentioned you in “Launch”')
    // a deleted message takes its notifications with it
    await app.call(deleteNote, { params: { ...home.params, noteId } }, { as: editor })
    expect(await titles(home.person)).not.toContain('Edda editor mentioned you in “Launch”')
  })

  it('can be resolved and reopened by everyone who may write, and is listed as such', async () => {
    const [first, second] = [await start(), await start({ title: 'Logo' })]
    await resolve(first, true, user)
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ action: 'resolved', entity: 'discussion' })
    const entries = async () =>
      (await app.database.owner.query("select 1 from audit where org_id = $1 and entity = 'discussion'", [home.orgId]))
        .rowCount
    const before = await entries()
    await resolve(first, true, user)
    expect(await entries()).toBe(before)
    expect(await get(first)).toMatchObject({ resolved: { by: { userId: user.personId, name: 'Uli user' } } })
    const shown = async (query: Record<string, unknown>, as = editor) =>
      (await list(as, query)).map(({ discussionId }) => discussionId)
    expect(await shown({})).toEqual([second])
    expect(await shown({ state: 'resolved' })).toEqual([first])
    expect(await shown({ mine: 'true' }, user)).toEqual([])
    await resolve(first, false, user)
    expect((await shown({})).toSorted()).toEqual([first, second].toSorted())
  })

  it('is renamed, and its members are chosen among people who can see it', async () => {
    const id = await start()
    const edit = (memberIds: string[], title = 'Launch day') =>
      app.call(contract.editDiscussion, { ...at(id), body: { title, memberIds } }, { as: editor })
    await edit([editor.personId, user.personId])
    expect(await get(id)).toMatchObject({ title: 'Launch day', members: { length: 2 } })
    expect(await titles(user)).toEqual(['Edda editor added you to a discussion'])
    await edit([editor.personId])
    expect((await get(id)).members.map(({ userId }) => userId)).toEqual([editor.personId])
    const foreign = (await app.signedInOwner()).person
    for (const memberIds of [[foreign.personId]]) {
      await expect(edit(memberIds)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { memberIds: [/can't see/] } },
      })
      await expect(start({ memberIds })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    }
    await expect(start({ mentions: [foreign.personId] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    for (const wrong of [{ title: ' ' }, { title: 'x'.repeat(121) }, { text: '' }])
      await expect(start(wrong)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await list()).toHaveLength(1)
  })

  it('is deleted with its messages by its author or a project admin', async () => {
    const [first, second] = [await start({ memberIds: [user.personId] }), await start()]
    await expect(remove(first, user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await remove(first)
    await remove(second, home.person)
    expect([await list(), await told(user)]).toEqual([[], []])
    expect((await app.database.owner.query('select 1 from note where org_id = $1', [home.orgId])).rowCount).toBe(0)
  })

  it('is written by people who may write notes, and read by those who may read them', async () => {
    const id = await start()
    const team = teamOn(app)
    const reader = await team.holder(home, { note: ['view'] })
    expect(await notes(id, reader)).toHaveLength(1)
    for (const attempt of [() => start({}, reader), () => say(id, reader), () => resolve(id, true, reader)])
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('a discussion about something', () => {
  it('is seen only by people who see that, in lists, by its id, and in mentions', async () => {
    const team = teamOn(app)
    const other = await contentOn(app.parts).channel(home)
    const bound = await app.colleague(home, 'editor', { channelIds: [other] })
    const noComments = await team.holder(home, { inbox: ['view'], dm: ['view'], note: ['create'] })
    const noCampaigns = noComments
    const postId = await postsOn(app, app.database).post(home, channel)
    const { conversationId } = await received(app, home, { channelId: channel, text: 'Where is my parcel?' })
    const campaignId = await taxonomyOn(app).campaign(home, 'Spring')
    for (const [about, stranger, subject] of [
      [{ postId }, bound, { kind: 'post', id: postId, name: expect.any(String) }],
      [{ conversationId }, noComments, { kind: 'conversation', id: conversationId, name: 'Where is my parcel?' }],
      [{ campaignId }, noCampaigns, { kind: 'campaign', id: campaignId, name: 'Spring' }],
    ] as const) {
      const id = await start({ ...about, memberIds: [user.personId] })
      expect(await get(id, user)).toMatchObject({ about: subject })
      expect((await list(user, about)).map(({ discussionId }) => discussionId)).toEqual([id])
      expect((await list(stranger)).map(({ discussionId }) => discussionId)).not.toContain(id)
      const [first] = await notes(id)
      for (const attempt of [
        () => get(id, stranger),
        () => notes(id, stranger),
        () => say(id, stranger),
        () => resolve(id, true, stranger),
        () => remove(id, stranger),
        () => start(about, stranger),
        () => app.call(noteReplies, { params: { ...home.params, noteId: first?.noteId ?? '' } }, { as: stranger }),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(say(id, editor, 'You?', [stranger.personId])).rejects.toMatchObject({ code: 'BAD_INPUT' })
      await expect(start({ ...about, memberIds: [stranger.personId] })).rejects.toMatchObject({ code: 'BAD_INPUT' })
    }
    await expect(start({ postId, campaignId })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('notifies nobody who takes part and can no longer see it', async () => {
    const postId = await postsOn(app, app.database).post(home, channel)
    const id = await start({ postId, memberIds: [user.personId] })
    const other = await contentOn(app.parts).channel(home)
    await app.database.owner.query('update project_member set channel_ids = $2 where person_id = $1', [
      user.personId,
      [other],
    ])
    await say(id, home.person)
    expect(await titles(user)).toEqual(['Edda editor wrote in “Launch”'])
    await app.call(removeFromProject, { params: { ...home.params, userId: editor.personId } }, { as: home.person })
    expect((await get(id, home.person)).members.map(({ userId }) => userId)).not.toContain(editor.personId)
  })
})

it('is closed on plans without it, but can be deleted there', async () => {
  const id = await start()
  await teamOn(app).plan(home, 'individual')
  for (const attempt of [
    () => list(home.person),
    () => get(id, home.person),
    () => notes(id, home.person),
    () => say(id, home.person),
    () => resolve(id, true, home.person),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'discussion' } } })
  await remove(id, home.person)
})
