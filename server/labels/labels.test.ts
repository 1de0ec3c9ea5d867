import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  createHashtagGroup,
  createLabel,
  deleteHashtagGroup,
  deleteLabel,
  editHashtagGroup,
  editLabel,
  listHashtagGroups,
  listLabels,
} from '#contract/labels.ts'
import { listPosts, postFilters, rowsOf } from '#contract/postLists.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let taxonomy: ReturnType<typeof taxonomyOn>
let home: TestHome
let channel: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
  taxonomy = taxonomyOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channel = await content.channel(home)
})

const labels = async (query = {}, as = home.person) =>
  (await app.call(listLabels, { params: home.params, query }, { as })).labels
const carried = async () =>
  rowsOf(await app.call(listPosts, { params: home.params, query: {} }, { as: home.person })).map((post) =>
    post.labels.map(({ labelName }) => labelName),
  )

describe('labels', () => {
  it('are listed by name with their number of posts', async () => {
    const [autumn, spring] = [await taxonomy.label(home, 'autumn'), await taxonomy.label(home, 'Spring')]
    const [first, second, gone] = [
      await posts.post(home, channel),
      await posts.post(home, channel),
      await posts.post(home, channel),
    ]
    await taxonomy.tag(home, [first, second, gone], [spring])
    await posts.put(gone, 'DELETED')
    expect(await labels()).toEqual([
      { labelId: autumn, labelName: 'autumn', color: 'green', state: 'ACTIVE', posts: 0 },
      { labelId: spring, labelName: 'Spring', color: 'green', state: 'ACTIVE', posts: 2 },
    ])
  })

  it('have unique names in the project, ignoring case, in any script', async () => {
    const id = await taxonomy.label(home, 'Äpfel')
    const other = await taxonomy.label(home, 'Birnen')
    await expect(taxonomy.label(home, 'äPFEL')).rejects.toMatchObject({
      code: 'NAME_TAKEN',
      problem: { errors: { labelName: ['A label with this name already exists.'] } },
    })
    await expect(
      app.call(
        editLabel,
        { params: { ...home.params, labelId: other }, body: { labelName: 'ÄPFEL' } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    // its own name in other letters, and the same name elsewhere
    await app.call(
      editLabel,
      { params: { ...home.params, labelId: id }, body: { labelName: 'ÄPFEL' } },
      { as: home.person },
    )
    const second = await app.project(home.orgId, home.person)
    await app.call(
      createLabel,
      { params: { orgId: home.orgId, projectId: second.projectId }, body: { labelName: 'Äpfel', color: 'red' } },
      { as: home.person },
    )
    expect((await labels()).map(({ labelName }) => labelName)).toEqual(['Birnen', 'ÄPFEL'])
  })

  it("can't be created twice with one name by simultaneous calls", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => taxonomy.label(home, 'Same')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'NAME_TAKEN' })
  })

  it('have 1 to 50 characters and one of ten colors', async () => {
    const make = (labelName: string, color: string) =>
      app.send(createLabel, { params: home.params, body: { labelName, color } }, { as: home.person })
    expect((await make('   ', 'blue')).json()).toMatchObject({
      code: 'BAD_INPUT',
      errors: { labelName: ['A name is required'] },
    })
    expect((await make('x'.repeat(51), 'blue')).json()).toMatchObject({
      code: 'BAD_INPUT',
      errors: { labelName: ['This name is too long'] },
    })
    expect((await make('x', 'mauve')).json()).toMatchObject({ code: 'BAD_INPUT' })
    expect((await make('x'.repeat(50), 'dark-blue')).statusCode).toBe(200)
  })

  it("stay on old posts when archived, and can't be added to others", async () => {
    const labelId = await taxonomy.label(home, 'Old')
    const [old, fresh] = [await posts.post(home, channel), await posts.post(home, channel)]
    await taxonomy.tag(home, [old], [labelId])
    await app.call(editLabel, { params: { ...home.params, labelId }, body: { state: 'ARCHIVED' } }, { as: home.person })
    expect([await labels({ state: 'ACTIVE' }), (await labels({ state: 'ARCHIVED' })).length]).toEqual([[], 1])
    // saved again with its own labels
    await taxonomy.tag(home, [old], [labelId])
    await expect(taxonomy.tag(home, [fresh], [labelId])).rejects.toMatchObject({
      code: 'BAD_INPUT',
      facts: { errors: { labels: ['The label Old is archived.'] } },
    })
    expect((await carried()).filter((names) => names.length > 0)).toEqual([['Old']])
    expect((await app.call(postFilters, { params: home.params }, { as: home.person })).labels).toEqual([
      { labelId, labelName: 'Old', color: 'green', state: 'ARCHIVED' },
    ])
  })

  it('are removed from their posts when deleted', async () => {
    const labelId = await taxonomy.label(home)
    await taxonomy.tag(home, [await posts.post(home, channel)], [labelId])
    await app.call(deleteLabel, { params: { ...home.params, labelId } }, { as: home.person })
    expect(await carried()).toEqual([[]])
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ action: 'deleted', entity: 'label', entity_id: labelId })
  })

  it("of another project aren't found, and nothing is stored", async () => {
    const elsewhere = await app.signedInOwner()
    const foreign = await taxonomy.label(elsewhere)
    const own = await taxonomy.label(home)
    const postId = await posts.post(home, channel)
    await expect(taxonomy.tag(home, [postId], [own, foreign])).rejects.toMatchObject({
      code: 'NOT_FOUND',
      facts: { errors: { labels: [expect.any(String)] } },
    })
    expect(await carried()).toEqual([[]])
  })

  it("only count posts on the role's channels", async () => {
    const labelId = await taxonomy.label(home)
    const other = await content.channel(home)
    await taxonomy.tag(home, [await posts.post(home, channel), await posts.post(home, other)], [labelId])
    const bound = await app.colleague(home, 'editor', { channelIds: [other] })
    expect((await labels({}, bound)).map((label) => label.posts)).toEqual([1])
  })
})

describe('hashtag groups', () => {
  const groups = async () => (await app.call(listHashtagGroups, { params: home.params }, { as: home.person })).groups
  const create = (name: string, hashTags: string[]) =>
    app.call(createHashtagGroup, { params: home.params, body: { name, hashTags } }, { as: home.person })

  it('keep their hashtags in order, without # and once each', async () => {
    const { hashtagGroupId, message } = await create('Coffee', ['#Coffee', 'barista', '#coffee', 'Kaffee_zeit', '珈琲'])
    expect(message).toBe('Hashtag group created successfully')
    expect(await groups()).toEqual([
      { hashtagGroupId, name: 'Coffee', hashTags: ['Coffee', 'barista', 'Kaffee_zeit', '珈琲'] },
    ])
    const params = { ...home.params, hashtagGroupId }
    expect(
      await app.call(editHashtagGroup, { params, body: { name: 'COFFEE', hashTags: ['tea'] } }, { as: home.person }),
    ).toEqual({ message: 'Hashtag group updated successfully' })
    expect(await groups()).toEqual([{ hashtagGroupId, name: 'COFFEE', hashTags: ['tea'] }])
    expect(await app.call(deleteHashtagGroup, { params }, { as: home.person })).toEqual({
      message: 'Hashtag group deleted successfully',
    })
    expect(await groups()).toEqual([])
  })

  it('have a unique name and at most 30 valid hashtags', async () => {
    await create(
      'Full',
      Array.from({ length: 30 }, (_, i) => `tag${i}`),
    )
    await expect(create('full', ['x'])).rejects.toMatchObject({ code: 'NAME_TAKEN' })
    await expect(
      create(
        'More',
        Array.from({ length: 31 }, (_, i) => `tag${i}`),
      ),
    ).rejects.toMatchObject({ problem: { errors: { hashTags: ['Cannot add more than 30 hashtags'] } } })
    for (const wrong of ['two words', '123', 'a-b', '#'])
      await expect(create('Wrong', [wrong])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(create('None', [])).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await groups()).toHaveLength(1)
  })
})
