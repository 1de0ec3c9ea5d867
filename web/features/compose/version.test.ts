import { describe, expect, it, vi } from 'vitest'
import type { Channel } from '#contract/channels.ts'
import type { Post } from '#contract/posts.ts'
import { openedComposer } from './composerReducer.ts'
import { createComposerStore } from './composerStore.ts'
import { emptyDoc, newItem, withVariant, type Doc } from './doc.ts'
import { withMode } from './plan.ts'
import { editSubmission, leadingPlan, newSubmission, publishedNow, type Written } from './submission.ts'
import { versionOf } from './version.ts'

const now = new Date('2026-11-20T10:00:00Z')
const channelOn = (channelId: string, platformName: Channel['platformName']): Channel => ({
  channelId,
  channelName: `On ${platformName}`,
  handle: `@${channelId}`,
  platformName,
  profileUrl: null,
  domain: null,
  status: 'CONNECTED',
  enabled: true,
  planLocked: false,
  simulated: false,
  zone: 'UTC',
  latenessMinutes: 60,
  scheduledPosts: 0,
  connectedOn: '2026-11-01T00:00:00Z',
  problem: null,
  kind: null,
  missing: [],
  limits: null,
  checkedAt: null,
  signInEndsAt: null,
  latePosts: 0,
  deleting: false,
})
const a = channelOn('a', 'mastodon')
const b = channelOn('b', 'bluesky')
const channels = [a, b]
const doc: Doc = { ...emptyDoc('UTC', now), channelIds: ['a', 'b'], items: [newItem({ text: 'We open' })] }
const stateOf = (of: Doc) => openedComposer({ doc: of, savedAt: undefined, restored: false, gone: 0, unfinished: [] })
const opened = stateOf(doc)
const open = (scope: string, of = doc) => ({ doc: of, view: { ...opened.view, scope } })
const own = (of: Doc, channelId: string) => withVariant(of, channelId, { items: [newItem({ text: 'Only here' })] })

describe('the version on screen', () => {
  it("is all channels' until one is opened", () => {
    expect(versionOf(opened, channels)).toMatchObject({ scope: 'all', channel: undefined, channels, sharing: channels })
    expect(versionOf(open('b'), channels)).toMatchObject({ scope: 'b', channel: b, channels: [b], sharing: [b] })
  })

  it('returns to all channels when the open one is no longer chosen', () => {
    expect(versionOf(open('b', { ...doc, channelIds: ['a'] }), channels).scope).toBe('all')
  })

  it('is that of the only channel where it has its own text or time, so that what is seen is what is published', () => {
    const alone = { ...doc, channelIds: ['a'] }
    expect(versionOf(open('all', alone), channels).scope).toBe('all')
    expect(versionOf(open('all', own(alone, 'a')), channels).scope).toBe('a')
    expect(versionOf(open('all', withVariant(alone, 'a', { plan: doc.plan })), channels).scope).toBe('a')
  })

  it('counts the shared text for those that publish it, and before a channel is chosen by the first of the project', () => {
    expect(versionOf(open('all', own(doc, 'a')), channels)).toMatchObject({ sharing: [b], counted: [b] })
    expect(versionOf(open('all', own(own(doc, 'a'), 'b')), channels).counted).toEqual(channels)
    expect(versionOf(open('all', { ...doc, channelIds: [] }), channels)).toMatchObject({ sharing: [], counted: [a] })
  })
})

describe('the store', () => {
  const [item] = doc.items
  if (!item) throw new Error('a post has an item')

  it('tells what reads it about changes, and only about those', () => {
    const store = createComposerStore(opened)
    const listener = vi.fn()
    const stop = store.subscribe(listener)
    store.dispatch({ type: 'itemFocused', key: item.key })
    expect(listener).not.toHaveBeenCalled()
    store.dispatch({ type: 'versionOpened', scope: 'b' })
    expect([listener.mock.calls.length, store.state().view.scope]).toEqual([1, 'b'])
    stop()
    store.dispatch({ type: 'versionOpened', scope: 'all' })
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('keeps the version the same object while someone types, in the shared text and in one of a channel', () => {
    const store = createComposerStore(stateOf(own(doc, 'b')))
    const before = store.version(channels)
    store.dispatch({ type: 'itemChanged', at: 'all', key: item.key, change: { text: 'We open at nine' } })
    const [itsOwn] = store.state().doc.variants['b']?.items ?? []
    store.dispatch({ type: 'itemChanged', at: 'b', key: itsOwn?.key ?? '', change: { text: 'Here at nine' } })
    expect(store.state().doc.variants['b']?.items?.[0]?.text).toBe('Here at nine')
    expect(store.version(channels)).toBe(before)
    store.dispatch({
      type: 'versionChanged',
      channelId: 'a',
      change: { postType: 'post', details: { contentWarning: 'Loud' } },
    })
    expect(store.version(channels)).not.toBe(before)
    expect(store.version(channels).chosen).toBe(before.chosen)
  })
})

describe('what is sent', () => {
  const queue = withMode(doc.plan, 'queue', now)
  const once = withMode(doc.plan, 'once', now)
  const written = (of: Doc, part: Partial<Written> = {}): Written => {
    const { chosen } = versionOf(open('all', of), channels)
    return {
      doc: of,
      channels,
      chosen,
      plan: leadingPlan(of, chosen),
      mediaOf: () => undefined,
      cardOf: () => undefined,
      approve: false,
      workflowId: null,
      ...part,
    }
  }
  const send = (of: Doc, part?: Partial<Written>) =>
    newSubmission(written(of, part), { id: 'd', version: 3 }, undefined)

  it('is published, queued or scheduled as its time says, or sent for approval', () => {
    const intents = [doc.plan, queue, once].map((plan) => send({ ...doc, plan }).intent)
    expect(intents).toEqual(['PUBLISH', 'QUEUE', 'SCHEDULE'])
    const approved = send({ ...doc, plan: once }, { approve: true, workflowId: 'w' })
    expect([approved.intent, approved.workflowId, approved.draftId, approved.draftVersion]).toEqual([
      'NEEDS_APPROVAL',
      'w',
      'd',
      3,
    ])
  })

  it('names the time of a channel that differs from most, and its own text', () => {
    const of = own(withVariant({ ...doc, plan: once }, 'b', { plan: queue }), 'a')
    const sent = send(of)
    expect(sent.intent).toBe('SCHEDULE')
    expect(sent.channels.map(({ schedule, contents }) => [schedule?.type, contents[0]?.text])).toEqual([
      [undefined, 'Only here'],
      ['QUEUE', 'We open'],
    ])
    // every channel has a custom time: the first one's leads
    expect(send(withVariant(of, 'a', { plan: doc.plan })).intent).toBe('PUBLISH')
  })

  it('names the channels that publish right away', () => {
    expect(publishedNow(doc, channels)).toEqual(channels)
    expect(publishedNow(withVariant(doc, 'a', { plan: once }), channels)).toEqual([b])
  })

  it("leaves unchanged parts out of an edit, and never changes a published post's time", () => {
    const before = { ...doc, channelIds: ['a'], plan: queue, labelIds: ['x', 'y'] }
    const edit = (status: Post['status'], of: Doc, part?: Partial<Written>) =>
      editSubmission(a, written(of, part), { post: { status }, doc: before })
    const text = { ...before, items: [newItem({ text: 'We open at nine' })] }
    expect(edit('QUEUED', text)).toEqual({
      contents: [{ text: 'We open at nine', media: [] }],
      additionalDetails: {},
      firstComment: '',
      mentions: [],
    })
    expect(edit('SCHEDULED', text).schedule?.type).toBe('QUEUE')
    expect(edit('QUEUED', { ...text, plan: once }).schedule?.type).toBe('ONCE')
    expect(edit('PUBLISHED', { ...text, plan: once })).not.toHaveProperty('schedule')
    expect(edit('QUEUED', { ...text, labelIds: ['y', 'x'] })).not.toHaveProperty('labels')
    expect(edit('QUEUED', { ...text, labelIds: ['y'] }).labels).toEqual(['y'])
    expect(edit('REJECTED', text, { approve: true, workflowId: 'w' }).workflowId).toBe('w')
  })
})
