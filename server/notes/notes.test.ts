import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveDraft } from '#contract/drafts.ts'
import { getConversation, listConversations } from '#contract/inbox/conversations.ts'
import { listNotices } from '#contract/notices.ts'
import * as contract from '#contract/postNotes.ts'
import { reschedulePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { at, draftBody, postsOn, TOMORROW } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { NOTES_PER_HOUR } from './write.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channel: string
let postId: string
let editor: TestPerson
let user: TestPerson
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
  postId = await posts.post(home, channel)
  editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
  user = await app.colleague(home, 'user', { firstName: 'Uli' })
})

const add = async (as: TestPerson, text = 'Looks good', mentions: string[] = []) =>
  (await app.call(contract.addPostNote, { params: home.params, body: { postId, text, mentions } }, { as })).noteId
const reply = async (as: TestPerson, noteId: string, text = 'Thank you', mentions: string[] = []) =>
  (await app.call(contract.replyToNote, { params: home.params, body: { noteId, text, mentions } }, { as })).noteId
const notes = async (as: TestPerson) =>
  (await app.call(contract.postNotes, { params: { ...home.params, postId } }, { as })).notes
const replies = async (as: TestPerson, noteId: string) =>
  (await app.call(contract.noteReplies, { params: { ...home.params, noteId } }, { as })).replies
const remove = (as: TestPerson, noteId: string) =>
  app.call(contract.deleteNote, { params: { ...home.params, noteId } }, { as })
const told = async (as: TestPerson) =>
  (await app.call(listNotices, { params: home.params, query: { topic: 'notes' } }, { as })).notices.map(
    ({ kind, title, body, link }) => ({ kind, title, body, link }),
  )

describe('notes on a post', () => {
  it('are visible to everyone who sees the post, oldest first, with their replies', async () => {
    const first = await add(editor, 'Is the date right?')
    app.clock.advance({ minutes: 1 })
    await app.call(contract.addNote, { params: home.params, body: { postId, text: 'Second' } }, { as: user })
    const answer = await reply(user, first, 'It is')
    // one level: a reply to a reply is on the same level
    await reply(editor, answer, 'Good')
    expect(await notes(user)).toEqual([
      {
        noteId: first,
        text: 'Is the date right?',
        author: { userId: editor.personId, name: 'Edda editor', profileUrl: null },
        mentions: [],
        createdAt: expect.any(String),
        editedAt: null,
        replies: 2,
        mayDelete: false,
        mayEdit: false,
      },
      expect.objectContaining({ text: 'Second', replies: 0, mayDelete: true, mayEdit: true }),
    ])
    expect((await replies(user, first)).map(({ text }) => text)).toEqual(['It is', 'Good'])
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ action: 'created', entity: 'note', detail: { postId } })
  })

  it('respond with the specified messages', async () => {
    expect(
      await app.call(contract.addPostNote, { params: home.params, body: { postId, text: 'x' } }, { as: editor }),
    ).toMatchObject({ message: 'Note Added' })
  })

  it('are changed by their author alone, and say so', async () => {
    const noteId = await add(editor)
    app.clock.advance({ minutes: 2 })
    const change = (as: TestPerson) =>
      app.call(contract.editNote, { params: { ...home.params, noteId }, body: { text: 'Better' } }, { as })
    await expect(change(home.person)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await change(editor)
    expect(await notes(editor)).toMatchObject([{ text: 'Better', editedAt: app.clock.now().toISOString() }])
  })

  it('are deleted by their author or a project admin, with their replies', async () => {
    const [first, second] = [await add(editor), await add(editor)]
    const answer = await reply(user, first)
    const admin = await app.colleague(home, 'admin')
    await expect(remove(user, first)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(remove(editor, answer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect((await notes(admin)).map(({ mayDelete, mayEdit }) => [mayDelete, mayEdit])).toEqual([
      [true, false],
      [true, false],
    ])
    expect(await remove(admin, first)).toEqual({ message: 'Note deleted' })
    await expect(replies(user, answer)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await remove(editor, second)
    expect(await notes(editor)).toEqual([])
  })

  it('have 1 to 2000 characters', async () => {
    for (const [text, words] of [
      ['  ', 'Write something'],
      ['x'.repeat(2001), 'This note is too long'],
    ] as const)
      await expect(add(editor, text)).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { text: [words] } },
      })
    await add(editor, 'x'.repeat(2000))
  })

  it("have their own permissions: a role that views posts writes notes, one that edits posts doesn't have to read them", async () => {
    const team = teamOn(app)
    const client = await team.holder(home, { post: ['view'], note: ['create'] })
    const noteId = await add(client, 'Please use our new logo')
    await app.call(
      contract.editNote,
      { params: { ...home.params, noteId }, body: { text: 'Please use the blue logo' } },
      { as: client },
    )
    await reply(client, noteId, 'As we agreed')
    expect(await notes(client)).toMatchObject([{ text: 'Please use the blue logo', mayEdit: true, mayDelete: true }])
    await remove(client, noteId)
    expect(await notes(client)).toEqual([])
    await expect(
      app.call(
        reschedulePost,
        { params: { ...home.params, postId }, body: { schedule: at('2026-11-25T09:00:00Z') } },
        { as: client },
      ),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })

    const reader = await team.holder(home, { note: ['view'] })
    const writer = await team.holder(home, { post: ['create', 'edit', 'delete', 'publish'] })
    const kept = await add(editor, 'For the team')
    expect(await notes(reader)).toHaveLength(1)
    for (const attempt of [() => add(reader), () => reply(reader, kept), () => remove(reader, kept)])
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    for (const attempt of [() => notes(writer), () => replies(writer, kept), () => add(writer)])
      await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    // nobody learns about a note that they can't read
    await expect(add(editor, 'You?', [writer.personId])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await add(editor, 'You?', [reader.personId])
    expect(await told(reader)).toHaveLength(1)
  })

  it("can't be written by view-only members, nor seen by roles without the channel", async () => {
    const noteId = await add(editor)
    await expect(add(await app.colleague(home, 'none'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const bound = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    for (const attempt of [
      () => notes(bound),
      () => replies(bound, noteId),
      () => add(bound),
      () => reply(bound, noteId),
      () => remove(bound, noteId),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are limited per person and hour', async () => {
    await app.database.owner.query(
      "insert into note (org_id, id, project_id, post_id, author_id, body, created_at) select $1, gen_random_uuid(), $2, $3, $4, 'x', $5 from generate_series(1, $6)",
      [home.orgId, home.projectId, postId, editor.personId, app.clock.now(), NOTES_PER_HOUR],
    )
    await expect(add(editor)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await add(user)
    app.clock.advance({ hours: 1 })
    await add(editor)
  })
})

describe('notes on a conversation', () => {
  let conversationId: string
  beforeEach(async () => {
    conversationId = (await received(app, home, { channelId: channel, conversation: 'message' })).conversationId
  })
  const note = async (as: TestPerson, text = 'Is this a refund?', mentions: string[] = []) =>
    (await app.call(contract.addNote, { params: home.params, body: { conversationId, text, mentions } }, { as })).noteId
  const read = async (as: TestPerson) =>
    (await app.call(contract.conversationNotes, { params: { ...home.params, conversationId } }, { as })).notes

  it('are read, answered, changed and deleted by those who see it', async () => {
    const noteId = await note(editor)
    await reply(user, noteId, 'It is')
    await app.call(
      contract.editNote,
      { params: { ...home.params, noteId }, body: { text: 'A refund?' } },
      { as: editor },
    )
    expect(await read(user)).toMatchObject([{ text: 'A refund?', replies: 1, mayEdit: false }])
    expect((await replies(user, noteId)).map(({ text }) => text)).toEqual(['It is'])
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ entity: 'note', detail: { conversationId } })
    await remove(editor, noteId)
    expect(await read(user)).toEqual([])
  })

  it('are counted in the list, with replies, for those who may read them, as they come and go', async () => {
    const countFor = async (as: TestPerson) =>
      (await app.call(listConversations, { params: home.params }, { as })).conversations.find(
        (one) => one.conversationId === conversationId,
      )?.notes
    const team = teamOn(app)
    const withoutNotes = await team.holder(home, { inbox: ['view'], dm: ['view'] })
    expect(await countFor(user)).toBe(0)
    const noteId = await note(editor)
    await reply(user, noteId, 'It is')
    await note(editor, 'Done')
    expect([await countFor(user), await countFor(withoutNotes)]).toEqual([3, 0])
    const opened = await app.call(getConversation, { params: { ...home.params, conversationId } }, { as: user })
    expect(opened.conversation.notes).toBe(3)
    const events = async () =>
      (
        await app.database.owner.query(
          "select count(*)::int as n from event where kind = 'conversation' and ref = $1",
          [conversationId],
        )
      ).rows[0]?.n
    const before = await events()
    await remove(editor, noteId)
    expect([await countFor(user), (await events()) - before]).toEqual([1, 1])
  })

  it('are hidden from those who do not see it, who are not mentioned either', async () => {
    const noteId = await note(editor)
    const team = teamOn(app)
    const others = [
      await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] }),
      await team.holder(home, { inbox: ['view'], comment: ['view'], note: ['create'] }),
      await team.holder(home, { note: ['create'] }),
    ]
    for (const other of others) {
      for (const attempt of [
        () => read(other),
        () => replies(other, noteId),
        () => note(other),
        () => remove(other, noteId),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(note(editor, 'You?', [other.personId])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    }
    expect(await read(editor)).toHaveLength(1)
  })

  it('notify who is mentioned and whose note is answered, with a link to the conversation', async () => {
    const noteId = await note(editor, 'Can you look?', [user.personId])
    await reply(user, noteId, 'Yes')
    const inbox = async (as: TestPerson) =>
      (await app.call(listNotices, { params: home.params, query: { topic: 'inbox' } }, { as })).notices.map(
        ({ kind, title, body, link }) => ({ kind, title, body, link }),
      )
    const link = `/${home.orgId}/project/${home.projectId}/inbox?c=${conversationId}`
    expect(await inbox(user)).toEqual([
      { kind: 'inbox-mention', title: 'Edda editor mentioned you in a note', body: 'Can you look?', link },
    ])
    expect(await inbox(editor)).toEqual([
      { kind: 'inbox-note-reply', title: 'Uli user replied to your note', body: 'Yes', link },
    ])
  })

  it('name either a conversation or a post', async () => {
    for (const about of [{}, { conversationId, postId }])
      await expect(
        app.call(contract.addNote, { params: home.params, body: { ...about, text: 'x' } }, { as: editor }),
      ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('notes on a draft for several channels', () => {
  let other: string
  let submitted: string[]
  let draftNote: string
  let boundToOther: TestPerson
  beforeEach(async () => {
    other = await content.channel(home)
    boundToOther = await app.colleague(home, 'editor', { firstName: 'Bo', channelIds: [other] })
    postId = randomUUID()
    await app.call(
      saveDraft,
      {
        params: { ...home.params, postId },
        body: { version: 0, draft: draftBody({ text: 'Hello', channelIds: [channel, other] }) },
      },
      { as: home.person },
    )
    draftNote = await add(editor, 'Use the blue picture')
    app.clock.advance({ minutes: 1 })
    submitted = await submit([channel, other], postId)
    app.clock.advance({ minutes: 1 })
  })
  const submit = async (channelIds: string[], draftId: string) =>
    (
      await app.call(
        submitPost,
        {
          params: home.params,
          body: {
            intent: 'SCHEDULE',
            channels: channelIds.map((channelId) => ({
              channelId,
              postType: 'post' as const,
              contents: [{ text: 'Hello', media: [] }],
            })),
            schedule: TOMORROW,
            draftId,
          },
        },
        { as: home.person },
      )
    ).posts.map((post) => post.postId)
  const textsAt = async (as: TestPerson, at: string | undefined) =>
    (await app.call(contract.postNotes, { params: { ...home.params, postId: at ?? '' } }, { as })).notes.map(
      ({ text }) => text,
    )

  it('are shown on each post made from it, later ones on their own post', async () => {
    const [first, second] = submitted
    postId = second ?? ''
    await add(user, 'Shorter on this channel')
    expect(await textsAt(user, first)).toEqual(['Use the blue picture'])
    expect(await textsAt(user, second)).toEqual(['Use the blue picture', 'Shorter on this channel'])
    postId = first ?? ''
    await add(user, 'Longer here')
    expect(await textsAt(user, second)).toEqual(['Use the blue picture', 'Shorter on this channel'])
  })

  it('can be read and answered by people who only see one of its channels', async () => {
    const [first, second] = submitted
    await expect(textsAt(boundToOther, first)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await textsAt(boundToOther, second)).toEqual(['Use the blue picture'])
    const since = app.clock.now()
    const answer = await reply(boundToOther, draftNote, 'The blue one it is')
    await reply(user, answer, 'Thanks')
    expect((await replies(boundToOther, draftNote)).map(({ text }) => text)).toEqual(['The blue one it is', 'Thanks'])
    // open screens of both posts are notified
    const { rows } = await app.database.owner.query(
      "select distinct ref from event where org_id = $1 and kind = 'note' and at >= $2",
      [home.orgId, since],
    )
    expect(new Set(rows.map(({ ref }) => ref))).toEqual(new Set(submitted))
    expect((await told(editor)).map(({ kind, link }) => [kind, link])).toContainEqual([
      'note-reply',
      `/${home.orgId}/project/${home.projectId}/post/${second}`,
    ])
  })

  it('stay hidden from people who see none of its channels', async () => {
    const bound = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    for (const attempt of [
      () => textsAt(bound, submitted[0]),
      () => textsAt(bound, submitted[1]),
      () => replies(bound, draftNote),
      () => reply(bound, draftNote),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // notes about one channel's post are only visible with that channel
    postId = submitted[0] ?? ''
    const own = await add(user, 'Only for the first channel')
    await expect(replies(boundToOther, own)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('stay on all of them when one becomes a draft again and is submitted with another channel', async () => {
    const [first, second] = submitted
    await app.call(
      reschedulePost,
      { params: { ...home.params, postId: first ?? '' }, body: { schedule: { type: 'DRAFT' } } },
      { as: home.person },
    )
    const [again, third] = await submit([channel, await content.channel(home)], first ?? '')
    expect(again).toBe(first)
    for (const at of [first, second, third]) expect(await textsAt(user, at)).toEqual(['Use the blue picture'])
  })
})

describe('mentions', () => {
  it('notify people a note names, once, and nobody about their own text', async () => {
    const noteId = await add(editor, 'What do you think,\n Uli?', [user.personId, user.personId, editor.personId])
    expect(await told(user)).toEqual([
      {
        kind: 'note-mention',
        title: 'Edda editor mentioned you in a note',
        body: 'What do you think, Uli?',
        link: `/${home.orgId}/project/${home.projectId}/post/${postId}`,
      },
    ])
    expect([await told(editor), await told(home.person)]).toEqual([[], []])
    expect((await notes(user))[0]?.mentions.map(({ name }) => name)).toEqual(['Edda editor', 'Uli user'])
    // after an edit: only people who are named for the first time
    await app.call(
      contract.editNote,
      {
        params: { ...home.params, noteId },
        body: { text: 'And you?', mentions: [user.personId, home.person.personId] },
      },
      { as: editor },
    )
    expect((await told(user)).map(({ body }) => body)).toEqual(['What do you think, Uli?'])
    expect((await told(home.person)).map(({ body }) => body)).toEqual(['And you?'])
  })

  it("and replies notify the note's author", async () => {
    const noteId = await add(editor)
    await reply(user, noteId, 'Fine '.repeat(60))
    const [notice] = await told(editor)
    expect(notice).toMatchObject({ kind: 'note-reply', title: 'Uli user replied to your note' })
    expect(notice?.body.length).toBeLessThanOrEqual(141)
    await reply(editor, noteId, 'To myself')
    expect(await told(editor)).toHaveLength(1)
  })

  it('are removed with their note', async () => {
    const noteId = await add(editor, 'Oops', [user.personId])
    await reply(home.person, noteId, 'Indeed', [user.personId])
    expect(await told(user)).toHaveLength(2)
    await remove(editor, noteId)
    expect([await told(user), await told(editor)]).toEqual([[], []])
  })

  it('only name people who see the post', async () => {
    const bound = await app.colleague(home, 'editor', { channelIds: [await content.channel(home)] })
    for (const stranger of [bound, (await app.signedInOwner()).person, await app.memberOnly(home)])
      await expect(add(editor, 'You?', [stranger.personId])).rejects.toMatchObject({
        code: 'BAD_INPUT',
        problem: { errors: { mentions: [expect.any(String)] } },
      })
    expect(await notes(editor)).toEqual([])
  })
})

it("a post's activity says who did what, newest last, with facts and without ids", async () => {
  const first = app.clock.now().toISOString()
  app.clock.advance({ minutes: 5 })
  await app.call(
    reschedulePost,
    { params: { ...home.params, postId }, body: { schedule: at('2026-11-30T12:00:00.000Z') } },
    { as: editor },
  )
  const { activity } = await app.call(contract.postActivity, { params: { ...home.params, postId } }, { as: user })
  const owner = { userId: home.person.personId, name: 'Olive Owner' }
  expect(activity.map(({ action, by }) => [action, by])).toEqual([
    ['created', owner],
    ['scheduled', owner],
    ['rescheduled', { userId: editor.personId, name: 'Edda editor' }],
  ])
  expect(activity[0]?.at).toBe(first)
  expect(activity[2]).toMatchObject({ at: app.clock.now().toISOString(), detail: { schedule: 'ONCE' } })
  expect(new Date(String(activity[2]?.detail['dueAt']))).toEqual(new Date('2026-11-30T12:00:00Z'))
  expect(JSON.stringify(activity.map(({ detail }) => detail))).not.toContain(channel)
})
