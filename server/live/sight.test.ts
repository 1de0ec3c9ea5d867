import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeBulkRows, checkBulk } from '#contract/bulk.ts'
import { createDiscussion, deleteDiscussion, resolveDiscussion } from '#contract/discussions.ts'
import { answeringConversation, setConversationStatus } from '#contract/inbox/actions.ts'
import { createLabel } from '#contract/labels.ts'
import { createProject } from '#contract/organizations.ts'
import type { Permissions } from '#contract/permissions.ts'
import { addNote } from '#contract/postNotes.ts'
import { editingPost } from '#contract/presence.ts'
import { setQueueStatus } from '#contract/queues.ts'
import { asTenant } from '../db/tenant.ts'
import { bulkFile, bulkRow } from '../testing/bulk.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { openEvents } from '../testing/events.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn, type Team } from '../testing/team.ts'
import { until } from '../testing/until.ts'
import { emit } from './emit.ts'

/*
 * Roles of every sort listen while an admin changes everything there is, on two channels, through the API. Each stream names
 * exactly what its role sees.
 */

let app: TestApp
let address: string
let home: TestHome
let team: Team
let [here, elsewhere] = ['', '']
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  address = await app.listen()
  home = await app.signedInOwner()
  team = teamOn(app)
  await team.plan(home, 'team')
  const { channel } = contentOn(app.parts)
  here = await channel(home, { handle: '@here.example' })
  elsewhere = await channel(home, { handle: '@elsewhere.example' })
})
afterAll(() => app.close())

const END = 'the end'
const end = () =>
  asTenant(app.parts.databases.web, home.orgId, (tx) =>
    emit(tx, { kind: 'plan', ref: END, orgId: home.orgId, projectId: null }, app.clock.now()),
  )

/** What the streams of these people name while `change` runs, as `kind name`, each once; without the members they begin with. */
async function heard(
  people: Readonly<Record<string, TestPerson>>,
  change: () => Promise<Readonly<Record<string, string>>>,
): Promise<Record<string, string[]>> {
  const streams = await Promise.all(
    Object.entries(people).map(async ([name, as]) => [name, await openEvents(address, home.params, as)] as const),
  )
  await until(() => streams.every(([, { messages }]) => messages.length > 0), { what: 'the resets' })
  const names = new Map(Object.entries(await change()).map(([name, id]) => [id, name]))
  await end()
  await until(() => streams.every(([, stream]) => stream.changes().some(({ ref }) => ref === END)), {
    what: 'the last event',
  })
  return Object.fromEntries(
    streams.map(([person, stream]) => {
      stream.close()
      const told = stream
        .changes()
        .flatMap(({ kind, ref }) => (ref === END || kind === 'member' ? [] : [`${kind} ${names.get(ref) ?? ref}`]))
      return [person, [...new Set(told)].toSorted()]
    }),
  )
}

it('names to each role what it sees of posts, conversations, notes and discussions, and nothing else', async () => {
  const role = (permissions: Permissions, channelIds?: string[]) =>
    team.holder(home, permissions, channelIds && { channelIds })
  const [dm, comment] = [{ dm: ['view'] }, { comment: ['view'] }]
  const people = {
    editor: await app.colleague(home, 'editor'),
    'editor here': await app.colleague(home, 'editor', { channelIds: [here] }),
    messages: await role(dm),
    comments: await role(comment),
    'comments here': await role(comment, [here]),
    posts: await role({ post: ['view'] }),
    'posts here': await role({ post: ['view'] }, [here]),
    'notes here': await role({ note: ['view'] }, [here]),
    'notes and messages': await role({ note: ['view'], ...dm }),
    labels: await role({ label: ['view'] }),
    nothing: await role({}),
  }
  const { post } = postsOn(app, app.database)
  const taxonomy = taxonomyOn(app)
  const as = { as: home.person }
  const { params } = home
  const told = await heard(people, async () => {
    const posts = { 'post here': await post(home, here), 'post elsewhere': await post(home, elsewhere) }
    const talk = async (channelId: string, conversation: 'message' | 'comment') =>
      (await received(app, home, { channelId, conversation })).conversationId
    const talks = {
      'message here': await talk(here, 'message'),
      'message elsewhere': await talk(elsewhere, 'message'),
      'comment here': await talk(here, 'comment'),
      'comment elsewhere': await talk(elsewhere, 'comment'),
    }
    const campaigns = { campaign: await taxonomy.campaign(home) }
    const discuss = async (about: Record<string, string>) =>
      (await app.call(createDiscussion, { params, body: { title: 'Why', text: 'Because', ...about } }, as)).discussionId
    const discussions: Record<string, string> = { 'on nothing': await discuss({}) }
    for (const [name, postId] of Object.entries(posts)) {
      await app.call(editingPost, { params: { ...params, postId }, body: {} }, as)
      await app.call(addNote, { params, body: { postId, text: 'Look', mentions: [] } }, as)
      discussions[`on ${name}`] = await discuss({ postId })
    }
    for (const [name, conversationId] of Object.entries(talks)) {
      const at = { params: { ...params, conversationId } }
      await app.call(answeringConversation, { ...at, body: {} }, as)
      await app.call(addNote, { params, body: { conversationId, text: 'Look', mentions: [] } }, as)
      await app.call(setConversationStatus, { ...at, body: { status: 'CLOSED' } }, as)
      discussions[`on ${name}`] = await discuss({ conversationId })
    }
    discussions['on campaign'] = await discuss({ campaignId: campaigns.campaign })
    for (const discussionId of Object.values(discussions))
      await app.call(resolveDiscussion, { params: { ...params, discussionId }, body: { resolved: true } }, as)
    const { labelId } = await app.call(createLabel, { params, body: { labelName: 'Urgent', color: 'green' } }, as)
    return { ...posts, ...talks, ...campaigns, ...discussions, label: labelId }
  })
  const of = (kinds: readonly string[], names: readonly string[]) =>
    kinds.flatMap((kind) => names.map((name) => `${kind} ${name}`))
  const allPosts = ['post here', 'post elsewhere']
  const messages = ['message here', 'message elsewhere']
  const comments = ['comment here', 'comment elsewhere']
  const [ofPosts, ofTalks] = [
    ['post', 'presence'],
    ['conversation', 'presence'],
  ]
  const on = (...names: string[]) =>
    of(
      ['discussion'],
      names.map((name) => `on ${name}`),
    )
  const taxonomies = ['taxonomy campaign', 'taxonomy label']
  const notes = (names: readonly string[]) => of(['note'], names)
  const everything = [
    ...of(ofPosts, allPosts),
    ...of(ofTalks, [...messages, ...comments]),
    ...notes([...allPosts, ...messages, ...comments]),
    ...on('nothing', 'campaign', ...allPosts, ...messages, ...comments),
    ...taxonomies,
  ]
  const expected: Record<keyof typeof people, string[]> = {
    editor: everything,
    'editor here': everything.filter((name) => !name.endsWith('elsewhere')),
    messages: [...of(ofTalks, messages), 'taxonomy label'],
    comments: [...of(ofTalks, comments), 'taxonomy label'],
    'comments here': [...of(ofTalks, ['comment here']), 'taxonomy label'],
    posts: [...of(ofPosts, allPosts), ...taxonomies],
    'posts here': [...of(ofPosts, ['post here']), ...taxonomies],
    'notes here': [
      ...of(ofPosts, ['post here']),
      ...notes(['post here']),
      ...on('nothing', 'post here'),
      ...taxonomies,
    ],
    'notes and messages': [
      ...of(ofPosts, allPosts),
      ...of(ofTalks, messages),
      ...notes([...allPosts, ...messages]),
      ...on('nothing', ...allPosts, ...messages),
      ...taxonomies,
    ],
    labels: ['taxonomy label'],
    nothing: [],
  }
  for (const [name, names] of Object.entries(expected))
    expect({ name, told: told[name] }).toEqual({ name, told: names.toSorted() })
})

it('names a discussion that is deleted by what it was about, to those who saw it', async () => {
  const people = {
    editor: await app.colleague(home, 'editor'),
    here: await app.colleague(home, 'editor', { channelIds: [here] }),
    messages: await team.holder(home, { dm: ['view'] }),
  }
  const postId = await postsOn(app, app.database).post(home, elsewhere)
  const { conversationId } = await received(app, home, { channelId: here })
  const told = await heard(people, async () => {
    for (const about of [{ postId }, { conversationId }, {}]) {
      const { discussionId } = await app.call(
        createDiscussion,
        { params: home.params, body: { title: 'Why', text: 'Because', ...about } },
        { as: people.editor },
      )
      await app.call(deleteDiscussion, { params: { ...home.params, discussionId } }, { as: people.editor })
    }
    return { post: postId, conversation: conversationId, project: home.projectId }
  })
  const named = (name: string) =>
    (told[name] ?? []).filter((one) => /^discussion (post|conversation|project)$/.test(one))
  expect(named('editor')).toEqual(['discussion conversation', 'discussion post', 'discussion project'])
  expect(named('here')).toEqual(['discussion conversation', 'discussion project'])
  expect(told['messages']).toEqual([])
})

it('names queues, imports and other projects to those who see them', async () => {
  const people = {
    admin: await app.colleague(home, 'admin'),
    queues: await team.holder(home, { queue: ['view'] }),
    'queues here': await team.holder(home, { queue: ['view'] }, { channelIds: [here] }),
    importer: await team.holder(home, { post: ['view', 'create', 'publish'] }),
    'other importer': await team.holder(home, { post: ['view', 'create', 'publish'] }),
    messages: await team.holder(home, { dm: ['view'] }),
  }
  const told = await heard({ owner: home.person, ...people }, async () => {
    for (const channelId of [here, elsewhere])
      await app.call(
        setQueueStatus,
        { params: { ...home.params, channelId }, body: { paused: true } },
        { as: home.person },
      )
    const { importId, version, rows } = await app.call(
      checkBulk,
      {
        params: home.params,
        body: { name: 'rows.csv', source: bulkFile([bulkRow('Hi', { channel: '@here.example' })]) },
      },
      { as: people.importer },
    )
    await app.call(
      changeBulkRows,
      {
        params: { ...home.params, importId },
        body: { version, rows: rows.map(({ row }) => ({ row, cells: { text: 'Hello' } })) },
      },
      { as: people.importer },
    )
    const { projectId } = await app.call(
      createProject,
      { params: { orgId: home.orgId }, body: { projectName: 'Secret launch' } },
      { as: home.person },
    )
    return { 'of here': here, 'of elsewhere': elsewhere, import: importId, new: projectId }
  })
  expect(told).toEqual({
    owner: ['bulk import', 'project new', 'queue of elsewhere', 'queue of here'],
    admin: ['bulk import', 'queue of elsewhere', 'queue of here'],
    queues: ['queue of elsewhere', 'queue of here'],
    'queues here': ['queue of here'],
    importer: ['bulk import'],
    'other importer': [],
    messages: [],
  })
})

it('follows the role: a stream ends when its permissions change, and the next one names what the new role sees', async () => {
  const person = await team.holder(home, { dm: ['view'] })
  const postId = await postsOn(app, app.database).post(home, here)
  const note = () =>
    app.call(addNote, { params: home.params, body: { postId, text: 'Look', mentions: [] } }, { as: home.person })
  const first = await openEvents(address, home.params, person)
  const changeMember = () =>
    asTenant(app.parts.databases.web, home.orgId, (tx) =>
      emit(tx, { kind: 'member', ref: person.personId, orgId: home.orgId, projectId: home.projectId }, app.clock.now()),
    )
  await until(() => first.messages.length > 0, { what: 'the reset' })
  await note()
  // the next stream goes on after what this one sent last, so this must come after the note
  await changeMember()
  await until(() => first.changes().length > 0, { what: 'the event after the note' })
  await team.give(home, person, { roleId: await team.role(home, { note: ['view'] }) })
  await changeMember()
  await first.ended
  expect(first.changes().every(({ kind }) => kind === 'member')).toBe(true)
  const second = await openEvents(address, home.params, person, first.messages.at(-1)?.id)
  await note()
  // the change of the role, and the post that was there before, may come with the next stream
  const sinceThen = () => second.changes().filter(({ kind }) => kind !== 'member' && kind !== 'post')
  await until(() => sinceThen().length > 0)
  expect(sinceThen()).toEqual([{ kind: 'note', ref: postId }])
  second.close()
})
