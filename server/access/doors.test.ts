import { afterAll, beforeAll, expect, it } from 'vitest'
import { listUsers } from '#contract/members.ts'
import { myPermissions } from '#contract/organizations.ts'
import { mayPublish } from '#contract/permissions.ts'
import { listPosts } from '#contract/postLists.ts'
import { addPostNote } from '#contract/postNotes.ts'
import { getPost, retryPost, settlePost } from '#contract/posts.ts'
import { contextOf } from '../bulk/actor.ts'
import { asTenant } from '../db/tenant.ts'
import { emit } from '../live/emit.ts'
import { createNotification } from '../notifications/create.ts'
import { mustPublish } from '../posts/access.ts'
import { ApiFailure } from '../testing/client.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { openEvents } from '../testing/events.ts'
import { failedPost } from '../testing/notifications.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { NOW, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { until } from '../testing/until.ts'

/* Who may publish and who sees a post, asked at every door of the product: each gives the answer of the one rule. */

let app: TestApp
let address: string
let home: TestHome
let here: string
let elsewhere: string
let put: ReturnType<typeof postsOn>['put']
let post: ReturnType<typeof postsOn>['post']
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  address = await app.listen()
  home = await app.signedInOwner()
  const { channel } = contentOn(app.parts)
  here = await channel(home, { handle: '@here.example' })
  elsewhere = await channel(home, { handle: '@elsewhere.example' })
  const posts = postsOn(app, app.database)
  put = posts.put
  post = posts.post
})
afterAll(() => app.close())

const inTenant = <T>(fn: Parameters<typeof asTenant<T>>[2]) => asTenant(app.parts.databases.web, home.orgId, fn)

/** Whether the door let someone through: a refusal for any other reason fails the test. */
async function passes(call: Promise<unknown>): Promise<boolean> {
  try {
    await call
    return true
  } catch (error) {
    if (error instanceof ApiFailure) expect(['FORBIDDEN', 'NOT_FOUND', 'BAD_INPUT']).toContain(error.code)
    else expect(error).toMatchObject({ code: 'FORBIDDEN' })
    return false
  }
}

it('lets the same people publish at every door', async () => {
  const team = teamOn(app)
  const publisher = { post: ['view', 'create', 'edit', 'publish'] }
  const table: [name: string, who: TestPerson, publishes: boolean][] = [
    ['an admin of the organization', home.person, true],
    ['Admin', await app.colleague(home, 'admin'), true],
    ['Editor', await app.colleague(home, 'editor'), true],
    ['Editor of the channel', await app.colleague(home, 'editor', { channelIds: [here] }), true],
    ['Editor of another channel', await app.colleague(home, 'editor', { channelIds: [elsewhere] }), false],
    ['User', await app.colleague(home, 'user'), false],
    ['nobody by role', await app.colleague(home, 'none'), false],
    ['a role that publishes', await team.holder(home, publisher), true],
    ['the same without publishing', await team.holder(home, publisher, { publishing: 'none' }), false],
    ['a role that edits', await team.holder(home, { post: ['view', 'create', 'edit', 'needs_approval'] }), false],
  ]
  await inTenant((tx) =>
    createNotification(
      tx,
      {
        orgId: home.orgId,
        projectId: home.projectId,
        dedupeKey: 'doors',
        ...failedPost(),
        people: 'project-editors',
        channelIds: [here],
      },
      app.clock.now(),
    ),
  )
  const { rows } = await app.database.owner.query<{ person_id: string }>(
    "select person_id from notice where dedupe_key = 'doors'",
  )
  const notified = new Set(rows.map((row) => row.person_id))
  const { users } = await app.call(
    listUsers,
    { params: home.params, query: { page: 1, limit: 50 } },
    { as: home.person },
  )
  for (const [name, as, publishes] of table) {
    const failed = await post(home, here)
    await put(failed, 'FAILED')
    const doubtful = await post(home, here)
    await put(doubtful, 'UNCONFIRMED')
    const on = (postId: string) => ({ params: { ...home.params, postId } })
    const mine = await app.call(myPermissions, { params: home.params }, { as })
    const listed = users.find(({ userId }) => userId === as.personId)
    const actor = { orgId: home.orgId, projectId: home.projectId, personId: as.personId }
    const doors = {
      'publishing a new post': await passes(post(home, here, { as, schedule: NOW })),
      'retrying a failed one': await passes(app.call(retryPost, on(failed), { as })),
      'settling an unconfirmed one': await passes(
        app.call(settlePost, { ...on(doubtful), body: { outcome: 'failed' } }, { as }),
      ),
      'the rights they see': mayPublish(mine.channel[here] ?? {}),
      'being notified of failures': notified.has(as.personId),
      'a job that acts for them': await passes(
        inTenant(async (tx) => {
          const c = await contextOf(tx, actor, 'test', app.clock.now())
          mustPublish(c)
          // a job looks channels up as a request does, by this scope
          if (c.project.channelIds?.includes(here) === false) throw Object.assign(new Error(), { code: 'FORBIDDEN' })
        }),
      ),
      'the list of members':
        listed?.publishes === 'full' && listed.channels?.every(({ channelId }) => channelId === here) !== false,
    }
    const expected = Object.fromEntries(Object.keys(doors).map((door) => [door, publishes]))
    expect({ name, ...doors }).toEqual({ name, ...expected })
  }
})

it('shows the same posts at every door', async () => {
  const people = {
    everywhere: await app.colleague(home, 'editor'),
    here: await app.colleague(home, 'editor', { channelIds: [here] }),
    nowhere: await app.colleague(home, 'editor', { channelIds: [] }),
    viewer: await app.colleague(home, 'none', { channelIds: [here] }),
  }
  const posts = { here: await post(home, here), elsewhere: await post(home, elsewhere) }
  const draftOf = async (who: TestPerson) => {
    const postId = await post(home, here)
    await app.database.owner.query(
      "update post set state = 'DRAFTS', channel_id = null, author_id = $2 where id = $1",
      [postId, who.personId],
    )
    return postId
  }
  const drafts = {
    'draft of here': await draftOf(people.here),
    'draft of nowhere': await draftOf(people.nowhere),
  }
  const all = { ...posts, ...drafts }
  const seen = {
    everywhere: Object.keys(all),
    here: ['here', 'draft of here'],
    nowhere: ['draft of nowhere'],
    viewer: ['here'],
  }
  for (const [name, as] of Object.entries(people)) {
    const stream = await openEvents(address, home.params, as)
    await until(() => stream.messages.length === 1, { what: 'the reset' })
    await inTenant((tx) =>
      emit(
        tx,
        [
          ...Object.values(all).map((ref) => ({ kind: 'post' as const, ref })),
          { kind: 'taxonomy' as const, ref: 'end' },
        ].map((event) => ({ ...event, orgId: home.orgId, projectId: home.projectId })),
        app.clock.now(),
      ),
    )
    await until(() => stream.changes().some(({ ref }) => ref === 'end'), { what: 'the last event' })
    const told = new Set(stream.changes().map(({ ref }) => ref))
    stream.close()
    const list = await app.call(listPosts, { params: home.params, query: { page: 1, limit: 50 } }, { as })
    const listed = new Set(list.posts.map(({ postId }) => postId))
    for (const [post, postId] of Object.entries(all)) {
      const doors = {
        'the post itself': await passes(app.call(getPost, { params: { ...home.params, postId } }, { as })),
        'the list of posts': listed.has(postId),
        'live changes': told.has(postId),
        'being mentioned in a note': await passes(
          app.call(
            addPostNote,
            { params: home.params, body: { postId, text: 'Look', mentions: [as.personId] } },
            { as: home.person },
          ),
        ),
      }
      const expected = Object.fromEntries(
        Object.keys(doors).map((door) => [door, seen[name as keyof typeof seen].includes(post)]),
      )
      expect({ name, post, ...doors }).toEqual({ name, post, ...expected })
    }
  }
})
