import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { campaignPosts } from '#contract/campaigns.ts'
import { editLabel } from '#contract/labels.ts'
import { myPermissions } from '#contract/organizations.ts'
import { draftQuery, listPosts } from '#contract/postLists.ts'
import { insertMany } from '../db/insertMany.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* Lists that are requested again: 304 while nothing changed that the caller can see, and never when something did. */

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let taxonomy: ReturnType<typeof taxonomyOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  taxonomy = taxonomyOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
})

const MONTH = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', view: 'month' } as const
const ask = (tag?: string, { as = home.person, query = {} }: { as?: TestPerson; query?: object } = {}) =>
  app.send(
    listPosts,
    { params: home.params, query: { ...MONTH, ...query } },
    { as, headers: tag === undefined ? {} : { 'if-none-match': tag } },
  )
const tagFor = async (as: TestPerson = home.person) => String((await ask(undefined, { as })).headers.etag)

describe('a list that the caller already has', () => {
  it('is answered with 304 and no content while nothing changed, again and again', async () => {
    await posts.post(home, channel)
    let tag = await tagFor()
    for (let i = 0; i < 3; i += 1) {
      const again = await ask(tag)
      expect([again.statusCode, again.body]).toEqual([304, ''])
      tag = String(again.headers.etag)
    }
    expect((await ask('W/"anything"')).statusCode).toBe(200)
    expect((await ask('*')).statusCode).toBe(200)
    expect((await ask(tag.replace(/~[\w-]+"$/, '~0000000000000000"'))).statusCode).toBe(200)
  })

  it.each([
    ['drafts', draftQuery],
    ['a campaign', campaignPosts],
  ] as const)('is known by its tag in the list of %s too', async (_, endpoint) => {
    const campaignId = await taxonomy.campaign(home)
    const params = { ...home.params, campaignId }
    const first = await app.send(endpoint, { params }, { as: home.person })
    const headers = { 'if-none-match': String(first.headers.etag) }
    expect((await app.send(endpoint, { params }, { as: home.person, headers })).statusCode).toBe(304)
  })

  it('is sent again after a post, a label or a name in it changed', async () => {
    await posts.post(home, channel)
    const label = await taxonomy.label(home)
    for (const change of [
      () => posts.post(home, channel, { text: 'Another' }),
      () =>
        app.call(
          editLabel,
          { params: { ...home.params, labelId: label }, body: { labelName: 'Renamed', color: 'blue' } },
          { as: home.person },
        ),
      () => app.database.owner.query("update person set first_name = 'Olga' where id = $1", [home.person.personId]),
      () =>
        asTenant(app.parts.databases.web, home.orgId, (tx) =>
          insertMany(tx, 'event', [
            { at: app.clock.now(), org_id: home.orgId, project_id: home.projectId, kind: 'channel', ref: channel },
          ]),
        ),
    ]) {
      const tag = await tagFor()
      expect((await ask(tag)).statusCode).toBe(304)
      await change()
      expect((await ask(tag)).statusCode).toBe(200)
    }
  })

  it('is not changed by other projects, other organizations, and what no list shows', async () => {
    const tag = await tagFor()
    const second = await app.project(home.orgId, home.person)
    const other = await app.signedInOwner()
    await posts.post(other, await content.channel(other))
    await asTenant(app.parts.databases.web, home.orgId, (tx) =>
      insertMany(tx, 'event', [
        { at: app.clock.now(), org_id: home.orgId, project_id: second.projectId, kind: 'post', ref: 'elsewhere' },
        { at: app.clock.now(), org_id: home.orgId, project_id: home.projectId, kind: 'presence', ref: 'someone' },
      ]),
    )
    expect((await ask(tag)).statusCode).toBe(304)
  })

  it('is sent again for another query, another person and other permissions', async () => {
    const tag = await tagFor()
    expect((await ask(tag, { query: { status: ['DRAFTS'] } })).statusCode).toBe(200)
    const editor = await app.colleague(home, 'editor', { channelIds: [channel] })
    expect((await ask(tag, { as: editor })).statusCode).toBe(200)
    const theirs = await tagFor(editor)
    const put = (set: string, values: unknown[]) =>
      app.database.owner.query(`update project_member set ${set} where project_id = $1 and person_id = $2`, [
        home.projectId,
        editor.personId,
        ...values,
      ])
    // written without an event, which the product never does: the tag itself must not match anymore
    expect((await ask(theirs, { as: editor })).statusCode).toBe(304)
    await put('channel_ids = $3', [[await content.channel(home)]])
    const other = await ask(theirs, { as: editor })
    expect(other.statusCode).toBe(200)
    const tagAsEditor = String(other.headers.etag)
    expect((await ask(tagAsEditor, { as: editor })).statusCode).toBe(304)
    await put('role_id = $3', [home.roles.user])
    expect((await ask(tagAsEditor, { as: editor })).statusCode).toBe(200)
  })

  it("ends its revision with the caller's permissions, which change with what they can see", async () => {
    const editor = await app.colleague(home, 'editor', { channelIds: [channel] })
    const rightsOf = async (as: TestPerson) => (await app.call(myPermissions, { params: home.params }, { as })).rights
    const inListOf = async (as: TestPerson) =>
      (await app.call(listPosts, { params: home.params, query: MONTH }, { as })).revision.split('.').at(-1)
    const before = await rightsOf(editor)
    expect(before).toMatch(/^[\w-]{12}$/)
    expect(await inListOf(editor)).toBe(before)
    expect(await inListOf(home.person)).toBe(await rightsOf(home.person))
    expect(await rightsOf(home.person)).not.toBe(before)
    const other = await content.channel(home)
    for (const [set, value] of [
      ['channel_ids', [other]],
      ['channel_ids', null],
      ['role_id', home.roles.user],
    ] as const) {
      const known = await rightsOf(editor)
      await app.database.owner.query(`update project_member set ${set} = $3 where project_id = $1 and person_id = $2`, [
        home.projectId,
        editor.personId,
        value,
      ])
      expect(await rightsOf(editor), set).not.toBe(known)
      expect(await inListOf(editor)).toBe(await rightsOf(editor))
    }
  })

  it('is refused to strangers, whatever tag they send', async () => {
    const tag = await tagFor()
    const stranger = await app.signedInOwner()
    expect((await ask(tag, { as: stranger.person })).json()).toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    const member = await app.colleague(home, 'editor')
    const theirs = await tagFor(member)
    await app.database.owner.query('delete from project_member where person_id = $1', [member.personId])
    expect((await ask(theirs, { as: member })).statusCode).toBeGreaterThanOrEqual(400)
  })

  it('is sent again once a transaction commits that had begun before', async () => {
    const [held, written] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = asTenant(app.parts.databases.web, home.orgId, async (tx) => {
      await insertMany(tx, 'event', [
        { at: app.clock.now(), org_id: home.orgId, project_id: home.projectId, kind: 'post', ref: 'late' },
      ])
      written.resolve()
      await held.promise
    })
    await written.promise
    // committed after the slow one began: in the answer, although the slow one isn't over
    await posts.post(home, channel)
    const tag = await tagFor()
    expect((await ask(tag)).statusCode).toBe(304)
    await posts.post(home, channel, { text: 'One more' })
    expect((await ask(tag)).statusCode).toBe(200)
    const between = await tagFor()
    held.resolve()
    await slow
    expect((await ask(between)).statusCode).toBe(200)
    expect((await ask(await tagFor())).statusCode).toBe(304)
  })

  it('is sent again after 20 hours, before events are dropped', async () => {
    const tag = await tagFor()
    app.clock.advance({ hours: 19 })
    expect((await ask(tag)).statusCode).toBe(304)
    app.clock.advance({ hours: 2 })
    expect((await ask(tag)).statusCode).toBe(200)
  })

  it('is sent again after a restore', async () => {
    await app.database.owner.query(
      "insert into instance (system_identifier, timeline, alive_at) values ('1', 1, now()) on conflict do nothing",
    )
    const tag = await tagFor()
    expect((await ask(tag)).statusCode).toBe(304)
    await app.database.owner.query('update instance set timeline = timeline + 1')
    expect((await ask(tag)).statusCode).toBe(200)
  })
})
