import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConversationKind, EntityType } from '#contract/inbox/terms.ts'
import { signIn, type Channel } from '../testing/adapter/channel.ts'
import { readInbox } from '../testing/adapter/readInbox.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import { createFacebook } from './facebook/adapter.ts'
import { createInstagram } from './instagram/adapter.ts'
import type { InboxActions, InboxReplies, OutgoingReply } from './inbox.ts'
import { createThreads } from './threads/adapter.ts'

/* Answering on Meta's platforms, at their simulators: once, found again after a lost answer, and refused as they refuse. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

type Case = {
  name: string
  platform: 'facebook' | 'instagram' | 'threads'
  variant?: string
  kind: ConversationKind
  /** The call that sends. */
  call: string
  can: readonly (keyof InboxActions | 'editReply' | 'removeReply')[]
}
const comments: Case[] = [
  {
    name: 'a comment on Facebook',
    platform: 'facebook',
    kind: 'comment',
    call: 'POST graph.facebook.com*comments',
    can: ['react', 'hide', 'remove', 'editReply', 'removeReply'],
  },
  {
    name: 'a comment on Instagram',
    platform: 'instagram',
    variant: 'instagram',
    kind: 'comment',
    call: 'POST graph.instagram.com*replies',
    can: ['hide', 'remove', 'removeReply'],
  },
  {
    name: 'a comment on Instagram, signed in by Facebook',
    platform: 'instagram',
    variant: 'facebook',
    kind: 'comment',
    call: 'POST graph.facebook.com*replies',
    can: ['hide', 'remove', 'removeReply'],
  },
  {
    name: 'a reply on Threads',
    platform: 'threads',
    kind: 'comment',
    call: 'POST graph.threads.net*threads_publish',
    can: ['hide', 'removeReply'],
  },
]
const messages: Case[] = [
  {
    name: 'a message on Messenger',
    platform: 'facebook',
    kind: 'message',
    call: 'POST graph.facebook.com*messages',
    can: ['react'],
  },
  {
    name: 'a direct message on Instagram',
    platform: 'instagram',
    variant: 'instagram',
    kind: 'message',
    call: 'POST graph.instagram.com*messages',
    can: ['react'],
  },
  {
    name: 'a direct message on Instagram, signed in by Facebook',
    platform: 'instagram',
    variant: 'facebook',
    kind: 'message',
    call: 'POST graph.facebook.com*messages',
    can: ['react'],
  },
]

const adapters = { facebook: createFacebook, instagram: createInstagram, threads: createThreads }

describe.each([...comments, ...messages])('answering $name', ({ platform, variant, kind, call, can }) => {
  let channel: Channel
  let us: string
  let nora: string
  let asked: string
  let replies: InboxReplies
  let actions: InboxActions
  const world = () => visit.platform(platform).state
  beforeAll(async () => {
    channel = await signIn(visit, adapters[platform](), variant === undefined ? {} : { variant })
    us = channel.account.remoteId
    const { inbox } = channel.platform
    if (!inbox?.replies || !inbox.actions) throw new Error('it answers nothing')
    ;({ replies, actions } = inbox)
    nora = visit.platform(platform).accounts.find(({ id }) => id !== us)?.id ?? ''
  })
  beforeEach(() => {
    world().posts.clear()
    visit.platform(platform).faults.clear()
    visit.clock.now += DAY
    const at = visit.clock.now
    if (kind === 'message') {
      asked = world().publish({ account: nora, kind: 'message', text: 'Open?', more: { page: us, with: nora } }, at).id
      return
    }
    const own = { facebook: 'post', instagram: 'IMAGE', threads: 'TEXT' }[platform]
    const id = platform === 'facebook' ? `${us}_${world().nextId()}` : world().nextId()
    const post = world().publish({ id, account: us, kind: own, text: 'Our post' }, at).id
    const said = platform === 'threads' ? 'TEXT' : 'comment'
    asked = world().publish({ account: nora, kind: said, text: 'Open?', parent: post }, at).id
  })

  const type: EntityType = kind === 'message' ? 'DIRECT_MESSAGE' : 'COMMENT'
  const outgoing = (text: string, more: Partial<OutgoingReply> = {}): OutgoingReply => ({
    replyId: 'r',
    conversation: kind,
    threadKey: kind === 'message' ? nora : asked,
    parent: { remoteId: asked, type, at: new Date(visit.clock.now) },
    subjectRemoteId: null,
    counterpart: null,
    text,
    media: [],
    sendKey: 'read-back',
    createdAt: new Date(visit.clock.now),
    window: kind === 'message' ? 'reply' : null,
    others: [],
    progress: {},
    ...more,
  })
  const send = (reply: OutgoingReply) => replies.send(channel.reach, channel.secret, channel.account, reply)
  const reconcile = (reply: OutgoingReply) => replies.reconcile(channel.reach, channel.secret, channel.account, reply)
  const stands = (text: string) => world().live((post) => post.text === text && post.account === us)

  it('sends it once, and the inbox then shows it under the same ID', async () => {
    const sent = await send(outgoing('Until six'))
    expect(sent).toMatchObject({ kind: 'sent' })
    expect(stands('Until six')).toHaveLength(1)
    const { items } = await readInbox(channel, kind, { now: visit.clock.now })
    expect(items.get(sent.kind === 'sent' ? sent.remoteId : '')).toMatchObject({ isOurs: true, text: 'Until six' })
    const [theirs, ours] = [items.get(asked), items.get(sent.kind === 'sent' ? sent.remoteId : '')]
    expect(ours?.threadKey).toBe(theirs?.threadKey)
  })

  it('finds it again after a lost answer, and proves that nothing was sent before', async () => {
    const reply = outgoing('Until seven')
    expect(await reconcile(reply)).toEqual({ kind: 'absent' })
    visit.platform(platform).faults.add({ on: call, drop: 'after' })
    expect(await send(reply)).toMatchObject({ kind: 'unknown' })
    const [there] = stands('Until seven')
    expect(await reconcile(reply)).toMatchObject({ kind: 'sent', remoteId: there?.id })
  })

  it('waits when the platform asks to slow down, and nothing was sent', async () => {
    const answer = { status: 400, json: { error: { message: '(#613) Too many calls', code: 613 } } }
    visit.platform(platform).faults.add({ on: call, answer })
    expect(await send(outgoing('Until eight'))).toMatchObject({ kind: 'retry', closesBudget: true })
    expect(stands('Until eight')).toEqual([])
  })

  it('says that what it answers is gone', async () => {
    if (kind === 'message') world().posts.clear()
    else world().post(asked).deleted = true
    const answer = await send(outgoing('Until nine'))
    const code = kind === 'message' ? 'meta-person-unavailable' : 'inbox-item-gone'
    expect(answer).toMatchObject({ kind: 'rejected', reason: { code } })
  })

  it.runIf(kind === 'message')('refuses it after 24 hours, and takes it from a person for 7 days', async () => {
    visit.clock.now += 25 * HOUR
    const reason = { code: 'meta-window-over' }
    expect(await send(outgoing('Late'))).toMatchObject({ kind: 'rejected', reason })
    expect(await send(outgoing('Late', { window: 'human_agent' }))).toMatchObject({ kind: 'sent' })
    visit.clock.now += 7 * DAY
    expect(await send(outgoing('Too late', { window: 'human_agent' }))).toMatchObject({ kind: 'rejected', reason })
  })

  it.runIf(can.includes('react'))('reacts and takes it back', async () => {
    const item = { remoteId: asked, type, threadKey: kind === 'message' ? nora : asked }
    const react = (reaction: 'LIKE' | null) =>
      actions.react?.(channel.reach, channel.secret, channel.account, item, reaction)
    const shown = () => world().post(asked).more[kind === 'message' ? 'reaction' : 'liked']
    expect(await react('LIKE')).toEqual({ kind: 'done' })
    expect(shown()).toBe(true)
    expect(await react(null)).toEqual({ kind: 'done' })
    expect(shown()).toBe(false)
  })

  it.runIf(can.includes('hide'))('hides what someone wrote and shows it again', async () => {
    for (const hidden of [true, false]) {
      expect(
        await actions.hide?.(channel.reach, channel.secret, channel.account, { remoteId: asked, type }, hidden),
      ).toEqual({ kind: 'done' })
      expect(world().post(asked).more.hidden).toBe(hidden)
    }
  })

  it.runIf(can.includes('remove'))('deletes what someone wrote, and again without harm', async () => {
    const item = { remoteId: asked, type }
    for (let times = 0; times < 2; times++)
      expect(await actions.remove?.(channel.reach, channel.secret, channel.account, item)).toEqual({ kind: 'done' })
    expect(world().live(({ id }) => id === asked)).toEqual([])
  })

  it.runIf(can.includes('removeReply'))('edits and deletes its reply as far as the platform does', async () => {
    const sent = await send(outgoing('With a tpyo'))
    const id = sent.kind === 'sent' ? sent.remoteId : ''
    expect(replies.edit !== undefined).toBe(can.includes('editReply'))
    if (replies.edit) {
      const edited = await replies.edit(channel.reach, channel.secret, channel.account, id, 'Without')
      expect(edited).toEqual({ kind: 'edited', remoteId: id })
      expect(world().post(id).text).toBe('Without')
    }
    for (let times = 0; times < 2; times++)
      expect(await replies.remove?.(channel.reach, channel.secret, channel.account, id)).toEqual({ kind: 'removed' })
    expect(world().live((post) => post.id === id)).toEqual([])
  })

  it('breaks no rule of the platform', () => {
    expect(visit.platform(platform).violations).toEqual([])
    expect(visit.mistakes(platform)).toEqual([])
  })
})

describe('mentions on Instagram', () => {
  it('are answered below the post that names the account, and a lost answer is left to a person', async () => {
    const channel = await signIn(visit, createInstagram(), { variant: 'instagram' })
    const { state, accounts } = visit.platform('instagram')
    const other = accounts.find(({ id }) => id !== channel.account.remoteId)?.id ?? ''
    const text = `With ${channel.account.handle}`
    const more = { tags: channel.account.remoteId }
    const post = state.publish({ account: other, kind: 'tagged', text, more }, visit.clock.now).id
    const reply: OutgoingReply = {
      replyId: 'r',
      conversation: 'mention',
      threadKey: post,
      parent: { remoteId: post, type: 'MENTION_POST', at: new Date(visit.clock.now) },
      subjectRemoteId: null,
      counterpart: null,
      text: 'Lovely',
      media: [],
      sendKey: 'read-back',
      createdAt: new Date(visit.clock.now),
      window: null,
      others: [],
      progress: {},
    }
    const replies = channel.platform.inbox?.replies
    expect(await replies?.send(channel.reach, channel.secret, channel.account, reply)).toMatchObject({ kind: 'sent' })
    expect(state.live(({ parent }) => parent === post)).toHaveLength(1)
    const reason = { code: 'inbox-reply-unseen' }
    const looked = await replies?.reconcile(channel.reach, channel.secret, channel.account, reply)
    expect(looked).toMatchObject({ kind: 'rejected', reason })
  })
})
