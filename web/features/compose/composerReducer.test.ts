import { describe, expect, it } from 'vitest'
import type { Channel } from '#contract/channels.ts'
import { composerReducer, openedComposer, type ComposerAction, type ComposerState } from './composerReducer.ts'
import { emptyDoc, newItem, type Doc, type Item } from './doc.ts'
import type { DocAction } from './docActions.ts'
import { withMode } from './plan.ts'
import type { Refusal } from './serverErrors.ts'

const now = new Date('2026-11-20T10:00:00Z')
const [first, second]: readonly [Item, Item] = [
  newItem({ text: 'We open', media: ['door', 'window'] }),
  newItem({ text: 'and close' }),
]
const doc: Doc = { ...emptyDoc('Europe/Berlin', now), channelIds: ['a', 'b'], items: [first, second] }
const opened = openedComposer({ doc, savedAt: undefined, restored: false, gone: 0, unfinished: [] })

const after = (...actions: ComposerAction[]): ComposerState => actions.reduce(composerReducer, opened)
const docAfter = (...actions: DocAction[]): Doc => after(...actions).doc
const texts = (of: Doc, channelId?: string) =>
  (channelId === undefined ? of.items : of.variants[channelId]?.items)?.map(({ text }) => text)
const change = (at: string, text: string): DocAction => ({ type: 'itemChanged', at, key: first.key, change: { text } })

describe('opening', () => {
  const at = '2026-11-20T09:00:00Z'
  const saved = { doc, savedAt: at, restored: false, gone: 0, unfinished: [] }

  it('shows all channels, and drops files on the first item', () => {
    expect(opened.view).toEqual({ scope: 'all', item: first.key, aiHelp: undefined, side: 'write', problemsShown: 0 })
    expect(opened.sending).toMatchObject({
      phase: 'writing',
      tried: false,
      series: { scope: 'this', overwrite: false },
    })
  })

  it('counts a new post as unsaved, and a reopened draft as saved', () => {
    expect(opened.saving).toEqual({ kind: 'new' })
    expect(openedComposer(saved).saving).toEqual({ kind: 'saved', at })
  })

  it('counts a reopened draft as unsaved if changes were restored or files are gone', () => {
    expect(openedComposer({ ...saved, restored: true }).saving).toEqual({ kind: 'waiting' })
    expect(openedComposer({ ...saved, gone: 1 }).saving).toEqual({ kind: 'waiting' })
  })

  it('says what was restored, what is gone and what to attach again, until each is dismissed', () => {
    const unfinished = [{ fileName: 'film.mp4', bytes: 9 }]
    const told = openedComposer({ ...saved, restored: true, gone: 2, unfinished })
    expect(told.notices).toEqual({ restored: true, filesGone: 2, filesUnfinished: unfinished, filesRefused: [] })
    const dismissed = (['restored', 'filesGone', 'filesUnfinished'] as const).reduce(
      (state, notice) => composerReducer(state, { type: 'noticeDismissed', notice }),
      told,
    )
    expect(dismissed.notices).toEqual(opened.notices)
  })
})

describe('text and threads', () => {
  it("changes one item of the shared text and keeps the other parts' identity", () => {
    const next = after(change('all', 'We open at nine'))
    expect(texts(next.doc)).toEqual(['We open at nine', 'and close'])
    expect(next.doc.items[1]).toBe(second)
    expect([next.view, next.sending, next.saving, next.notices]).toEqual([
      opened.view,
      opened.sending,
      opened.saving,
      opened.notices,
    ])
    expect(next.sending).toBe(opened.sending)
    expect(next.doc.plan).toBe(doc.plan)
  })

  it('adds an item below another, moves and removes it, and keeps the last one', () => {
    const item = newItem({ text: 'Then' })
    const added = docAfter({ type: 'itemAdded', at: 'all', after: first.key, item })
    expect(texts(added)).toEqual(['We open', 'Then', 'and close'])
    const add: DocAction = { type: 'itemAdded', at: 'all', after: first.key, item }
    expect(texts(docAfter(add, { type: 'itemMoved', at: 'all', key: item.key, by: -1 }))).toEqual([
      'Then',
      'We open',
      'and close',
    ])
    expect(texts(docAfter({ type: 'itemMoved', at: 'all', key: second.key, by: 1 }))).toEqual(['We open', 'and close'])
    const remove = (key: string): DocAction => ({ type: 'itemRemoved', at: 'all', key })
    expect(texts(docAfter(remove(first.key)))).toEqual(['and close'])
    expect(texts(docAfter(remove(first.key), remove(second.key)))).toEqual(['and close'])
  })

  it('mentions a person once, together with the text that names them', () => {
    const mention = { channelId: 'a', userId: '7', name: '@ada' }
    const say = (text: string): DocAction => ({ type: 'personMentioned', at: 'all', key: first.key, text, mention })
    const next = docAfter(say('Hello @ada'), say('Hello @ada, and you'))
    expect([texts(next)?.[0], next.mentions]).toEqual(['Hello @ada, and you', [mention]])
  })

  it('attaches, orders and removes the files of an item', () => {
    const media = (...actions: DocAction[]) => docAfter(...actions).items[0]?.media
    const file = { at: 'all', itemKey: first.key } as const
    expect(media({ type: 'fileAttached', ...file, key: 'roof' })).toEqual(['door', 'window', 'roof'])
    expect(media({ type: 'fileMoved', ...file, key: 'window', over: 'door' })).toEqual(['window', 'door'])
    expect(media({ type: 'fileMoved', ...file, key: 'nothing', over: 'door' })).toEqual(['door', 'window'])
    expect(media({ type: 'fileRemoved', ...file, key: 'door' })).toEqual(['window'])
  })

  it('sets labels, campaigns, cards and the first comment', () => {
    const card = { uri: 'https://example.org/', title: 'A page', description: '', imageAssetId: null }
    expect(
      docAfter(
        { type: 'labelsChosen', labelIds: ['l'] },
        { type: 'campaignsChosen', campaignIds: ['c'] },
        { type: 'firstCommentChanged', at: 'all', text: 'See you' },
        { type: 'cardChanged', card },
        { type: 'cardChanged', card: { ...card, title: 'Ours' } },
      ),
    ).toMatchObject({
      labelIds: ['l'],
      campaignIds: ['c'],
      firstComment: 'See you',
      cards: [{ ...card, title: 'Ours' }],
    })
    const removed = docAfter({ type: 'cardChanged', card }, { type: 'cardRemoved', url: card.uri })
    expect([removed.cards, removed.cardsOff]).toEqual([[], [card.uri]])
  })
})

describe('versions', () => {
  it('gives a channel its own text with the first change, and keeps the shared one', () => {
    const next = docAfter(change('a', 'Only here'))
    expect([texts(next, 'a'), texts(next), texts(next, 'b')]).toEqual([
      ['Only here', 'and close'],
      ['We open', 'and close'],
      undefined,
    ])
  })

  it('gives a channel its own first comment and files', () => {
    const next = docAfter(
      { type: 'firstCommentChanged', at: 'b', text: 'Only here' },
      { type: 'fileAttached', at: 'b', itemKey: second.key, key: 'roof' },
    )
    expect([next.firstComment, next.variants['b']?.firstComment]).toEqual(['', 'Only here'])
    expect([next.items[1]?.media, next.variants['b']?.items?.[1]?.media]).toEqual([[], ['roof']])
  })

  it("gives channels the same text, and undoes that only where it's unchanged", () => {
    const own = { items: [newItem({ text: 'For both' })], firstComment: undefined, aiHelp: undefined }
    const shared = { items: undefined, firstComment: undefined, aiHelp: undefined }
    const before = new Map([
      ['a', shared],
      ['b', shared],
    ])
    const given: DocAction = { type: 'textGiven', channelIds: ['a', 'b'], text: own }
    expect([texts(docAfter(given), 'a'), texts(docAfter(given), 'b')]).toEqual([['For both'], ['For both']])
    const undone = docAfter(
      given,
      { type: 'versionChanged', channelId: 'b', change: { items: [newItem({ text: 'Mine' })] } },
      { type: 'textGivenUndone', before, given: own },
    )
    expect([texts(undone, 'a'), texts(undone, 'b')]).toEqual([undefined, ['Mine']])
  })

  it("keeps the state if there's nothing to undo", () => {
    const given = { items: [newItem({ text: 'For both' })], firstComment: undefined, aiHelp: undefined }
    const before = new Map([['a', { ...given, items: undefined }]])
    expect(composerReducer(opened, { type: 'textGivenUndone', before, given })).toBe(opened)
  })

  it('accepts a suggestion for each version, marks it, and undoes it', () => {
    const taken = docAfter({
      type: 'suggestionTaken',
      kind: 'adapt',
      place: 0,
      texts: [
        { at: 'a', text: 'Short' },
        { at: 'b', text: 'Long' },
      ],
    })
    expect([texts(taken, 'a')?.[0], texts(taken, 'b')?.[0], taken.variants['a']?.aiHelp]).toEqual([
      'Short',
      'Long',
      ['adapt'],
    ])
    const suggestion = { kind: 'adapt', place: 0, scopes: ['a', 'b'], before: doc, after: taken } as const
    const undone = composerReducer({ ...opened, doc: taken }, { type: 'suggestionUndone', suggestion })
    expect(undone.doc).toEqual(doc)
    expect(docAfter({ type: 'aiHelped', at: 'all', kind: 'write' }).aiHelp).toEqual(['write'])
  })

  it("gives an added channel the settings of its platform's others", () => {
    const channels: Pick<Channel, 'channelId' | 'platformName' | 'zone'>[] = ['a', 'b'].map((channelId) => ({
      channelId,
      platformName: 'mastodon',
      zone: 'Asia/Tokyo',
    }))
    const next = docAfter(
      { type: 'channelsChosen', channelIds: ['a'], beginning: { channels, zone: 'Europe/Berlin', began: now } },
      { type: 'versionChanged', channelId: 'a', change: { details: { privacy: 'unlisted' } } },
      { type: 'channelsChosen', channelIds: ['a', 'b'], beginning: { channels, zone: 'Europe/Berlin', began: now } },
    )
    expect([next.channelIds, next.variants['b']?.details, next.plan.when.zone]).toEqual([
      ['a', 'b'],
      { privacy: 'unlisted' },
      'Asia/Tokyo',
    ])
  })
})

describe('the time', () => {
  const queued = withMode(doc.plan, 'queue', now)
  const weekly = withMode(doc.plan, 'weekly', now)
  const scheduled = withMode(doc.plan, 'once', now)

  it('is now, a time, a series or the queue, shared by all channels', () => {
    expect(opened.doc.plan.mode).toBe('now')
    for (const plan of [queued, weekly, scheduled])
      expect(docAfter({ type: 'scheduleChanged', channelId: undefined, plan }).plan).toBe(plan)
  })

  it('changes for all channels in the tab of one without a custom time', () => {
    const next = docAfter({ type: 'scheduleChanged', channelId: 'a', plan: queued })
    expect([next.plan, next.variants]).toEqual([queued, {}])
  })

  it('changes the custom time of a channel, and returns to the shared one', () => {
    const custom: DocAction = { type: 'versionChanged', channelId: 'a', change: { plan: scheduled } }
    const next = docAfter(custom, { type: 'scheduleChanged', channelId: 'a', plan: weekly })
    expect([next.plan, next.variants['a']?.plan]).toEqual([doc.plan, weekly])
    expect(docAfter(custom, { type: 'versionChanged', channelId: 'a', change: { plan: undefined } })).toEqual(doc)
  })
})

describe('the view', () => {
  it('opens versions, items, AI help and the side that a phone shows', () => {
    const next = after(
      { type: 'versionOpened', scope: 'b' },
      { type: 'itemFocused', key: second.key },
      { type: 'aiHelpShown', key: first.key },
      { type: 'sideShown', side: 'preview' },
    )
    expect(next.view).toMatchObject({ scope: 'b', item: second.key, aiHelp: first.key, side: 'preview' })
    expect(composerReducer(next, { type: 'aiHelpShown', key: undefined }).view.aiHelp).toBeUndefined()
    expect(composerReducer(next, { type: 'itemFocused', key: second.key })).toBe(next)
  })

  it('brings the first problem into view on each request, for all channels or the open version', () => {
    const open: ComposerAction = { type: 'versionOpened', scope: 'b' }
    expect(after(open, { type: 'problemsShown' }).view).toMatchObject({ scope: 'b', problemsShown: 1 })
    expect(after(open, { type: 'problemsShown' }, { type: 'problemsShown', scope: 'all' }).view).toMatchObject({
      scope: 'all',
      problemsShown: 2,
    })
  })

  it('keeps the reasons of the last refused files', () => {
    const refuse = (sentence: string): ComposerAction => ({ type: 'filesRefused', sentences: [sentence] })
    const refused = after(refuse('a.exe: no'), refuse('b.exe: no'))
    expect(refused.notices.filesRefused).toEqual(['b.exe: no'])
    expect(composerReducer(refused, { type: 'filesRefused', sentences: [] }).notices.filesRefused).toEqual([])
  })
})

describe('saving and submitting', () => {
  const refusal: Refusal = {
    byChannel: { a: ['Too long'] },
    schedule: undefined,
    workflow: undefined,
    cap: undefined,
    other: undefined,
  }
  const sent = { doc, files: '[]', approve: false }

  it("shows the state of saving, including a draft's conflicts", () => {
    for (const saving of [
      { kind: 'saving' },
      { kind: 'offline' },
      { kind: 'changedElsewhere', fields: ['text'] },
      { kind: 'submitted', status: 'SCHEDULED' },
      { kind: 'refused', reason: 'It was deleted.' },
    ] as const)
      expect(after({ type: 'saveChanged', saving }).saving).toBe(saving)
  })

  it('names missing parts from the first try on, and shows the text on a phone', () => {
    const next = after(
      { type: 'sideShown', side: 'preview' },
      { type: 'submitTried' },
      { type: 'submitBlocked', broken: [], shown: 'all', byFiles: false },
    )
    expect([next.sending.tried, next.sending.phase, next.view.side, next.view.problemsShown]).toEqual([
      true,
      'writing',
      'write',
      1,
    ])
  })

  it('leaves the open version only if the problem is elsewhere', () => {
    const blocked = (broken: string[], shown: string) =>
      after({ type: 'versionOpened', scope: 'b' }, { type: 'submitBlocked', broken, shown, byFiles: false }).view.scope
    expect(blocked(['a'], 'b')).toBe('all')
    expect(blocked(['a', 'b'], 'b')).toBe('b')
    expect(blocked([], 'b')).toBe('b')
  })

  it('keeps in mind that a submit had to wait for files, until the next one', () => {
    const waited = { type: 'submitBlocked', broken: [], shown: 'all', byFiles: true } as const
    expect(after(waited).sending.waitedForFiles).toBe(true)
    expect(after(waited, { type: 'submitStarted' }).sending.waitedForFiles).toBe(false)
    expect(after(waited, { ...waited, byFiles: false }).sending.waitedForFiles).toBe(false)
  })

  it('is locked while submitting, open again after a refusal, and locked permanently after a success', () => {
    const phase = (...actions: ComposerAction[]) => after({ type: 'submitStarted' }, ...actions).sending.phase
    expect(phase()).toBe('sending')
    expect(phase({ type: 'submitEnded', sent: false })).toBe('writing')
    expect(phase({ type: 'submitEnded', sent: true })).toBe('sent')
  })

  it('keeps a refusal with what it was about', () => {
    const next = after({ type: 'submitStarted' }, { type: 'submitRefused', sent, refusal })
    expect(next.sending.refused).toEqual({ ...sent, refusal })
    // the refused content is compared with the current one
    expect(composerReducer(next, change('all', 'Shorter')).sending.refused?.doc).toBe(doc)
  })

  it("shows an edited post's conflict until it's submitted again", () => {
    const conflict: ComposerAction = { type: 'submitConflicted', fields: ['contents'] }
    expect(after(conflict).sending.conflict).toEqual(['contents'])
    expect(after(conflict, { type: 'submitStarted' }).sending.conflict).toBeUndefined()
  })

  it('chooses which posts of a series are changed', () => {
    const { series } = after(
      { type: 'seriesScopeChosen', series: { scope: 'following' } },
      { type: 'seriesScopeChosen', series: { overwrite: true } },
    ).sending
    expect(series).toEqual({ scope: 'following', overwrite: true })
  })

  it('uses the only workflow when approval is requested, and lets the person choose from several', () => {
    const one = after({ type: 'approvalAsked', workflowId: 'w' })
    expect([one.sending.asksForApproval, one.doc.workflowId]).toEqual([true, 'w'])
    const several = after({ type: 'approvalAsked', workflowId: undefined })
    expect([several.sending.asksForApproval, several.doc.workflowId]).toEqual([true, null])
    const chosen = composerReducer(several, { type: 'workflowChosen', workflowId: 'x' })
    expect([chosen.sending.asksForApproval, chosen.doc.workflowId]).toEqual([false, 'x'])
    const none = composerReducer(one, { type: 'workflowChosen', workflowId: null })
    expect([none.sending.asksForApproval, none.doc.workflowId]).toEqual([false, null])
  })

  it('asks before a shortcut publishes right away', () => {
    const asked = after({ type: 'confirmationAsked' })
    expect(asked.sending.confirms).toBe(true)
    expect(composerReducer(asked, { type: 'confirmationAnswered' }).sending.confirms).toBe(false)
  })
})
