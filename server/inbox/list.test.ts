import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import {
  assignConversation,
  judgeConversation,
  labelConversation,
  readConversation,
  setConversationStatus,
} from '#contract/inbox/actions.ts'
import { getConversation, inboxChannels, listConversations } from '#contract/inbox/conversations.ts'
import { inboxCounts } from '#contract/inbox/counts.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home, { handle: '@rook.example' })
})

type Query = NonNullable<CallOf<typeof listConversations>['query']>
const list = (query: Query = {}, as: TestPerson = home.person) =>
  app.call(listConversations, { params: home.params, query }, { as })
const previews = async (query: Query = {}, as: TestPerson = home.person) =>
  (await list(query, as)).conversations.map(({ preview }) => preview)
const counts = (as: TestPerson = home.person) => app.call(inboxCounts, { params: home.params }, { as })
const open = (conversationId: string, as: TestPerson = home.person, query = {}) =>
  app.call(getConversation, { params: { ...home.params, conversationId }, query }, { as })

/** Someone writes, a minute after whatever was before. */
async function hear(text: string, more: Partial<Parameters<typeof received>[2]> = {}): Promise<string> {
  app.clock.advance({ minutes: 1 })
  return (await received(app, home, { channelId: channel, text, ...more })).conversationId
}

describe('the list', () => {
  it('shows a conversation with the names of what it refers to, each once', async () => {
    const conversationId = await hear('When do you open?', { from: 'maya' })
    await hear('Where are you?', { from: 'nils' })
    expect(await list()).toEqual({
      conversations: [
        expect.objectContaining({ preview: 'Where are you?', channel: 0 }),
        {
          conversationId,
          kind: 'comment',
          status: 'OPEN',
          channel: 0,
          person: { name: 'Maya', handle: '@maya.example', pictureUrl: null, url: 'https://social.example/maya' },
          preview: 'When do you open?',
          lastDirection: 'received',
          lastAuthor: null,
          lastAt: expect.any(String),
          unanswered: 1,
          held: 0,
          unsent: null,
          waitingSince: expect.any(String),
          unread: true,
          followUpOn: null,
          assignee: null,
          labels: [],
          sentiment: 'neutral',
          answerUntil: null,
          rating: null,
          version: expect.any(Number),
          hit: null,
          notes: 0,
        },
      ],
      channels: [
        {
          channelId: channel,
          channelName: 'rook.example',
          handle: '@rook.example',
          platformName: 'bluesky',
          profileUrl: null,
          simulated: false,
        },
      ],
      members: [],
      labels: [],
      next: null,
    })
  })

  it('shows someone whose address on the platform has letters outside ASCII', async () => {
    const conversationId = await hear('Hola', { from: 'tomás' })
    const person = { name: 'Tomás', handle: '@tomás.example', pictureUrl: null, url: 'https://social.example/tomás' }
    expect((await list()).conversations).toEqual([expect.objectContaining({ conversationId, person })])
    expect((await open(conversationId)).items).toEqual([expect.objectContaining({ person })])
  })

  it('sorts by the last item or by the longest wait, and leaves out from the latter who waits for nothing', async () => {
    const first = await hear('First')
    await hear('Second')
    await hear('Third')
    await hear('Ours', { isOurs: true, remoteId: 'answer', threadKey: 'answer' })
    await app.call(
      setConversationStatus,
      { params: { ...home.params, conversationId: first }, body: { status: 'CLOSED' } },
      { as: home.person },
    )
    expect(await previews()).toEqual(['Ours', 'Third', 'Second', 'First'])
    expect(await previews({ sort: 'oldest' })).toEqual(['First', 'Second', 'Third', 'Ours'])
    expect(await previews({ sort: 'waiting' })).toEqual(['Second', 'Third'])
  })

  it('gives each conversation once page after page, also when many came in the same instant', async () => {
    for (const n of [1, 2, 3, 4, 5]) await received(app, home, { channelId: channel, text: `Same ${n}` })
    await hear('Later')
    for (const sort of ['newest', 'oldest', 'waiting'] as const) {
      const found: string[] = []
      for (let after: string | undefined; ;) {
        const page = await list({ sort, limit: 2, ...(after && { after }) })
        expect(page.conversations.length).toBeLessThanOrEqual(2)
        found.push(...page.conversations.map(({ preview }) => preview))
        if (page.next === null) break
        after = page.next
      }
      expect(found.toSorted(), sort).toEqual(['Later', 'Same 1', 'Same 2', 'Same 3', 'Same 4', 'Same 5'])
    }
    await expect(list({ after: 'nonsense' })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('takes any mix of filters', async () => {
    const taxonomy = taxonomyOn(app)
    const other = await content.channel(home, { handle: '@other.example' })
    const editor = await app.colleague(home, 'editor')
    const [vip, unused] = [await taxonomy.label(home, 'VIP'), await taxonomy.label(home, 'Unused')]
    const params = (conversationId: string) => ({ params: { ...home.params, conversationId } })
    const one = await hear('Opening hours please', { from: 'maya' })
    const two = await hear('Great bread', { from: 'nils', channelId: other })
    const three = await hear('A private question', { from: 'olga', conversation: 'message' })
    await app.call(assignConversation, { ...params(one), body: { userId: editor.personId } }, { as: home.person })
    await app.call(assignConversation, { ...params(two), body: { userId: home.person.personId } }, { as: home.person })
    await app.call(labelConversation, { ...params(two), body: { labelIds: [vip] } }, { as: home.person })
    await app.call(judgeConversation, { ...params(two), body: { sentiment: 'positive' } }, { as: home.person })
    await app.call(setConversationStatus, { ...params(three), body: { status: 'CLOSED' } }, { as: home.person })
    await app.call(readConversation, { ...params(three), body: {} }, { as: home.person })
    const [a, b, c] = ['Opening hours please', 'Great bread', 'A private question']
    const expected: [Query, string[]][] = [
      [{ channelId: [other] }, [b]],
      [{ platform: ['bluesky'] }, [c, b, a]],
      [{ platform: ['x'] }, []],
      [{ kind: ['message'] }, [c]],
      [{ kind: ['comment', 'review'] }, [b, a]],
      [{ status: ['OPEN'] }, [b, a]],
      [{ status: ['CLOSED', 'FOLLOWUP'] }, [c]],
      [{ assignee: ['me'] }, [b]],
      [{ assignee: ['nobody'] }, [c]],
      [{ assignee: ['nobody', 'me'] }, [c, b]],
      [{ assignee: [editor.personId, home.person.personId] }, [b, a]],
      [{ labels: [vip, unused] }, [b]],
      [{ labels: [unused] }, []],
      [{ sentiment: ['positive'] }, [b]],
      [{ sentiment: ['unknown', 'negative'] }, [c, a]],
      [{ unread: 'true' }, [b, a]],
      [{ unread: 'false' }, [c]],
      [{ answered: 'true' }, []],
      [{ q: 'hours' }, [a]],
      [{ q: 'MAYA' }, [a]],
      [{ q: 'gre bre' }, [b]],
      [{ q: 'bread hours' }, []],
      [{ q: "!! ' (" }, []],
      [{ labels: [vip], assignee: ['me'], status: ['OPEN'], kind: ['comment'], q: 'bread', channelId: [other] }, [b]],
      [{ labels: [vip], status: ['CLOSED'] }, []],
      [{ postId: randomUUID() }, []],
      [{ from: app.clock.now().toISOString() }, [c]],
      [{ to: app.clock.now().toISOString() }, [b, a]],
      [{ sort: 'waiting', assignee: ['me'] }, [b]],
      [{ sort: 'waiting', status: ['CLOSED'] }, []],
    ]
    for (const [query, found] of expected) expect(await previews(query), JSON.stringify(query)).toEqual(found)
    const row = await list({ labels: [vip] })
    expect([row.members, row.labels, row.conversations[0]]).toMatchObject([
      [{ userId: home.person.personId, name: 'Olive Owner' }],
      [{ labelId: vip, labelName: 'VIP' }],
      { assignee: 0, labels: [0], sentiment: 'positive' },
    ])
  })
})

describe('a label or a word that most conversations have', () => {
  it('filters as a rare one does, page after page, in every order', async () => {
    const label = await taxonomyOn(app).label(home, 'Everyday')
    // one in ten carries neither
    await app.database.owner.query(
      `with made as (
         insert into conversation (org_id, id, project_id, channel_id, kind, thread_key, status, last_at, last_direction, preview, last_received_at, unanswered, waiting_since, created_at)
         select $1, gen_random_uuid(), $2, $3, 'comment', n::text, case n % 3 when 0 then 'OPEN' else 'CLOSED' end, $4::timestamptz - n * interval '1 minute', 'received', n::text, $4, 1, $4::timestamptz - n * interval '1 minute', $4
         from generate_series(1, 2400) n returning org_id, id, channel_id, thread_key::int as n
       ), labeled as (
         insert into conversation_label (org_id, conversation_id, label_id) select org_id, id, $5 from made where n % 10 <> 0
       )
       insert into inbox_item (org_id, id, conversation_id, channel_id, remote_id, type, direction, text, at, received_at)
       select org_id, gen_random_uuid(), id, channel_id, n::text, 'COMMENT', 'received', case when n % 10 = 0 then 'Something else' else 'Everyday words' end, $4, $4 from made`,
      [home.orgId, home.projectId, channel, app.clock.now(), label],
    )
    const numbers = async (query: Query) => {
      const found: number[] = []
      for (let after: string | undefined; found.length < 250;) {
        const page = await list({ ...query, limit: 100, ...(after && { after }) })
        found.push(...page.conversations.map(({ preview }) => Number(preview)))
        if (page.next === null) break
        after = page.next
      }
      return found.slice(0, 250)
    }
    const all = Array.from({ length: 2400 }, (_, n) => n + 1).filter((n) => n % 10 !== 0)
    const opened = all.filter((n) => n % 3 === 0)
    for (const filter of [{ labels: [label] }, { q: 'every word' }, { labels: [label], q: 'everyday' }]) {
      expect(await numbers(filter)).toEqual(all.slice(0, 250))
      expect(await numbers({ ...filter, sort: 'oldest' })).toEqual(all.toReversed().slice(0, 250))
      expect(await numbers({ ...filter, status: ['OPEN'] })).toEqual(opened.slice(0, 250))
      expect(await numbers({ ...filter, sort: 'waiting' })).toEqual(opened.toReversed().slice(0, 250))
      expect(await numbers({ ...filter, channelId: [channel], status: ['OPEN'] })).toEqual(opened.slice(0, 250))
    }
    expect(await numbers({ q: 'something' })).toEqual(Array.from({ length: 240 }, (_, n) => (n + 1) * 10))
  })
})

describe('who sees what', () => {
  it('is decided by the kind and by the channels that the role reaches, in every call', async () => {
    const team = teamOn(app)
    const hidden = await content.channel(home, { handle: '@hidden.example' })
    const comment = await hear('A comment', { from: 'maya' })
    const message = await hear('A message', { from: 'maya', conversation: 'message' })
    const elsewhere = await hear('Elsewhere', { channelId: hidden })
    const everyone = await app.colleague(home, 'none')
    const noMessages = await team.holder(home, { inbox: ['view'], comment: ['view'] })
    const noComments = await team.holder(home, { inbox: ['view'], dm: ['view'] })
    const neither = await team.holder(home, { inbox: ['view'] })
    const bound = await app.colleague(home, 'editor', { channelIds: [hidden] })
    const seen: [TestPerson, string[]][] = [
      [everyone, ['Elsewhere', 'A message', 'A comment']],
      [noMessages, ['Elsewhere', 'A comment']],
      [noComments, ['A message']],
      [neither, []],
      [bound, ['Elsewhere']],
    ]
    const ids = { 'A comment': comment, 'A message': message, Elsewhere: elsewhere }
    for (const [person, texts] of seen) {
      expect(await previews({}, person)).toEqual(texts)
      expect(await previews({ q: 'a' }, person)).toEqual(texts.filter((text) => text.startsWith('A')))
      expect(await previews({ channelId: [channel, hidden] }, person)).toEqual(texts)
      expect(await counts(person)).toMatchObject({ open: texts.length, unread: texts.length, waiting: texts.length })
      for (const [text, id] of Object.entries(ids)) {
        if (texts.includes(text)) expect((await open(id, person)).items.map((item) => item.text)).toEqual([text])
        else await expect(open(id, person)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      }
    }
    const [first] = (await app.call(inboxChannels, { params: home.params }, { as: noMessages })).channels
    expect(first?.kinds.map(({ kind }) => kind)).toEqual(['comment', 'mention', 'review'])
    // permissions for comments include the inbox
    const answering = await team.holder(home, { comment: ['create'] })
    expect(await previews({}, answering)).toEqual(['Elsewhere', 'A comment'])
    // a role that was stored before that is refused until it's saved again
    await app.database.owner.query("update role set permissions = permissions - 'inbox' where project_id = $1", [
      home.projectId,
    ])
    await expect(list({}, answering)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('tells strangers nothing', async () => {
    const id = await hear('Ours')
    const stranger = await app.signedInOwner()
    await expect(list({}, stranger.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await expect(
      app.call(
        getConversation,
        { params: { ...stranger.params, conversationId: id }, query: {} },
        { as: stranger.person },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('counts', () => {
  it('count open conversations, and unread ones per person', async () => {
    const editor = await app.colleague(home, 'editor')
    const [one, two, three] = [await hear('One'), await hear('Two'), await hear('Three')]
    const params = (conversationId: string) => ({ params: { ...home.params, conversationId } })
    await app.call(assignConversation, { ...params(one), body: { userId: editor.personId } }, { as: home.person })
    await app.call(readConversation, { ...params(two), body: {} }, { as: editor })
    await app.call(
      setConversationStatus,
      { ...params(three), body: { status: 'FOLLOWUP', followUpOn: '2027-01-08' } },
      { as: home.person },
    )
    expect(await counts(editor)).toEqual({
      open: 2,
      unread: 1,
      mine: 1,
      unassigned: 1,
      waiting: 3,
      followUp: 1,
      unsent: 0,
      channels: [{ channelId: channel, open: 2 }],
    })
    expect(await counts()).toMatchObject({ unread: 2, mine: 0 })
    await app.call(readConversation, { ...params(two), body: { read: false } }, { as: editor })
    expect((await counts(editor)).unread).toBe(2)
  })
})

describe('who wrote last', () => {
  it.each([
    ['nobody else, where it is who began', { from: 'maya' }, null],
    ['who it is, where it is someone else', { from: 'nils' }, 'Nils'],
    ['nobody else, where it is one of ours', { isOurs: true }, null],
  ])('is %s', async (_, more, name) => {
    await hear('One?', { remoteId: 'root', from: 'maya' })
    await hear('Two', { threadKey: 'root', type: 'REPLY', ...more })
    expect((await list()).conversations).toMatchObject([{ preview: 'Two', lastAuthor: name }])
  })
})

describe('a conversation', () => {
  it('is opened around an item, and continued in both directions', async () => {
    const first = await received(app, home, { channelId: channel, text: '1', remoteId: 'root' })
    const { conversationId } = first
    const ids = [first.itemId]
    for (const text of ['2', '3', '4', '5', '6', '7', '8', '9'])
      ids.push((await received(app, home, { channelId: channel, text, threadKey: 'root', from: 'nils' })).itemId)
    await app.database.owner.query(
      "update inbox_item set at = $2::timestamptz + text::int * interval '1 minute' where conversation_id = $1",
      [conversationId, app.clock.now()],
    )
    const read = async (query: Parameters<typeof open>[2]) => {
      const { items, more, later } = await open(conversationId, home.person, query)
      return [items.map(({ text }) => text).join(''), more, later]
    }
    const at = (text: number) => ids[text - 1]
    expect(await read({ around: at(4), limit: 4 })).toEqual(['3456', true, true])
    expect(await read({ around: at(4), limit: 5 })).toEqual(['23456', true, true])
    expect(await read({ around: at(1), limit: 4 })).toEqual(['123', false, true])
    expect(await read({ around: at(9), limit: 4 })).toEqual(['89', true, false])
    expect(await read({ around: at(5), limit: 50 })).toEqual(['123456789', false, false])
    expect(await read({ before: at(3), limit: 4 })).toEqual(['12', false, true])
    expect(await read({ after: at(6), limit: 2 })).toEqual(['78', true, true])
    expect(await read({ after: at(8), limit: 2 })).toEqual(['9', true, false])
    expect(await read({ limit: 3 })).toEqual(['789', true, false])
    const elsewhere = await received(app, home, { channelId: channel, text: 'Elsewhere' })
    expect((await read({ around: elsewhere.itemId }))[0]).toBe('')
  })

  it('is opened with its latest items, oldest first, and continued backwards', async () => {
    const conversationId = await hear('One', { remoteId: 'root' })
    for (const text of ['Two', 'Three', 'Four'])
      await hear(text, { threadKey: 'root', type: 'REPLY', parentRemoteId: 'root', from: 'nils' })
    const latest = await open(conversationId, home.person, { limit: 2 })
    expect([latest.items.map(({ text }) => text), latest.more]).toEqual([['Three', 'Four'], true])
    const before = await open(conversationId, home.person, { limit: 2, before: latest.items[0]?.itemId })
    expect([before.items.map(({ text }) => text), before.more]).toEqual([['One', 'Two'], false])
    // the second answers the one before it, which goes without saying
    expect(before.items.map(({ parentId }) => parentId)).toEqual([null, null])
    expect(latest.items.map(({ parentId }) => parentId)).toEqual([before.items[0]?.itemId, before.items[0]?.itemId])
    expect(latest.conversation).toMatchObject({ conversationId, unanswered: 4, person: { handle: '@maya.example' } })
  })

  it('says what can be done by role and platform, and names earlier conversations of the person', async () => {
    const team = teamOn(app)
    const earlier = await hear('Before', { from: 'maya' })
    const conversationId = await hear('Now', { from: 'maya' })
    const shown = await open(conversationId)
    expect(shown.earlier).toEqual([
      { conversationId: earlier, kind: 'comment', preview: 'Before', lastAt: expect.any(String) },
    ])
    expect(shown.can.reply).toMatchObject({ possible: true, reason: null, unit: 'shortened' })
    expect(shown.items[0]?.can.react).toEqual(['DEFAULT'])
    const reader = await open(conversationId, await team.holder(home, { inbox: ['view'], comment: ['view'] }))
    expect(reader.can.reply).toMatchObject({
      possible: false,
      reason: "Your role doesn't allow this. Ask a project admin.",
    })
    expect(reader.items[0]?.can).toEqual({
      react: [],
      hide: false,
      approve: false,
      delete: false,
      edit: false,
      retry: false,
      confirm: false,
    })
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channel])
    expect((await open(conversationId)).can.reply).toMatchObject({
      possible: false,
      reason: expect.stringContaining('signed out'),
    })
  })

  it('shows what was written from here, with its author and how far it got', async () => {
    const editor = await app.colleague(home, 'editor', { firstName: 'Edda' })
    const conversationId = await hear('When?', { remoteId: 'asked' })
    const reply = async (text: string, state: string, remoteId: string | null, failure: unknown = null) =>
      await app.database.owner.query(
        'insert into reply (org_id, id, conversation_id, channel_id, author_id, text, state, remote_id, failure, created_at) values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $7, $8, $9)',
        [
          home.orgId,
          conversationId,
          channel,
          editor.personId,
          text,
          state,
          remoteId,
          failure && JSON.stringify(failure),
          app.clock.now(),
        ],
      )
    await reply('At eight', 'SENT', 'answered')
    await hear('At eight', {
      isOurs: true,
      remoteId: 'answered',
      threadKey: 'asked',
      parentRemoteId: 'asked',
      type: 'REPLY',
    })
    await reply('Or nine', 'FAILED', null, {
      code: 'slow-down',
      params: { platform: 'Bluesky' },
      class: 'retry',
      action: 'retry',
    })
    await reply('Never', 'CANCELLED', null)
    const { items } = await open(conversationId)
    expect(
      items.map(({ text, member, reply: sent }) => [text, member?.name, sent?.state, sent?.failure?.code]),
    ).toEqual([
      ['When?', undefined, undefined, undefined],
      ['At eight', 'Edda editor', 'SENT', undefined],
      ['Or nine', 'Edda editor', 'FAILED', 'slow-down'],
    ])
  })

  it('shows pictures through our server, and no other file', async () => {
    const file = { url: 'https://files.example/a', name: null, altText: null }
    const conversationId = await hear('Look', {
      media: [
        { kind: 'image', ...file },
        { kind: 'video', ...file },
      ],
    })
    expect((await open(conversationId)).items[0]?.media).toEqual([
      { kind: 'image', ...file, url: expect.stringMatching(/^\/api\/.+\/account-picture\?address=/) },
      { kind: 'video', ...file, url: null },
    ])
  })

  it('never makes a link of an address that isn’t one of the web', async () => {
    const conversationId = await hear('Look', {
      url: 'javascript:alert(1)',
      media: [{ kind: 'link', url: 'javascript:alert(2)', name: null, altText: null }],
    })
    expect((await open(conversationId)).items[0]).toMatchObject({ url: null, media: [{ kind: 'link', url: null }] })
  })
})
