import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { linkSettings, setChannelLinks, setProjectLinks, type LinkSetting } from '#contract/links/settings.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let home: TestHome
let channelId: string

beforeAll(async () => {
  app = await startApp({ env: { SHORT_URL: 'https://go.example/' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
})

const tagged: LinkSetting = { tags: { utm_source: '{platform}', utm_campaign: 'Autumn {date}' }, shorten: true }
const none: LinkSetting = { tags: {}, shorten: false }
const read = (as: TestPerson = home.person) => app.call(linkSettings, { params: home.params }, { as })
const setProject = (body = tagged, as: TestPerson = home.person) =>
  app.call(setProjectLinks, { params: home.params, body }, { as })
const setChannel = (own: LinkSetting | null, as: TestPerson = home.person, id = channelId) =>
  app.call(setChannelLinks, { params: { ...home.params, channelId: id }, body: { own } }, { as })

describe('the link settings', () => {
  it('are none at first, and say where short links are', async () => {
    expect(await read()).toEqual({
      project: none,
      channels: [],
      shortUrl: 'https://go.example',
      ownHosts: ['rookery.test', 'go.example'],
    })
  })

  it('apply to the project, and a channel can differ, have none, or follow the project again', async () => {
    await setProject()
    await setProject({ ...tagged, shorten: false })
    await setChannel(tagged)
    expect(await read()).toMatchObject({
      project: { ...tagged, shorten: false },
      channels: [{ channelId, ...tagged }],
    })
    await setChannel(none)
    expect((await read()).channels).toEqual([{ channelId, ...none }])
    await setChannel(null)
    await setChannel(null)
    expect((await read()).channels).toEqual([])
    await setChannel(tagged)
    await app.database.owner.query('update channel set deleted_at = now() where id = $1', [channelId])
    expect((await read()).channels).toEqual([])
  })

  it('drop empty tags, and leave an entry with what changed', async () => {
    await setProject()
    await setProject({ tags: { utm_source: 'news', utm_term: ' ' }, shorten: true })
    expect((await read()).project).toEqual({ tags: { utm_source: 'news' }, shorten: true })
    expect(await teamOn(app).lastAudit(home)).toMatchObject({
      action: 'updated',
      entity: 'link_settings',
      entity_id: home.projectId,
      detail: {
        before: { utm_source: '{platform}', utm_campaign: 'Autumn {date}', shorten: true },
        after: { utm_source: 'news', shorten: true },
      },
    })
    await setChannel(none)
    expect(await teamOn(app).lastAudit(home)).toMatchObject({ entity: 'channel_links', entity_id: channelId })
  })

  it('refuse unknown placeholders and store nothing', async () => {
    await expect(setProject({ tags: { utm_source: '{name}' }, shorten: false })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: {
          'tags.utm_source': ["{name} isn't a placeholder. Use {platform}, {channel}, {campaign} or {date}"],
        },
      },
    })
    expect((await read()).project).toEqual(none)
  })

  it('are read by everyone who sees posts, and changed by those who may change channels', async () => {
    const editor = await app.colleague(home, 'editor')
    expect(await read(editor)).toMatchObject({ project: none })
    await expect(setProject(tagged, editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(setChannel(tagged, editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('of other channels are hidden from a role with specific ones, which can change only its own', async () => {
    const other = await contentOn(app.parts).channel(home)
    await setChannel(tagged)
    const bound = await app.colleague(home, 'admin', { channelIds: [other] })
    expect((await read(bound)).channels).toEqual([])
    await expect(setChannel(none, bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(setProject(none, bound)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await setChannel(none, bound, other)
    expect((await read(bound)).channels).toEqual([{ channelId: other, ...none }])
    expect((await read()).channels).toHaveLength(2)
  })

  it('are never those of another organization', async () => {
    const stranger = await app.signedInOwner()
    await expect(read(stranger.person)).rejects.toMatchObject({ status: 404 })
    await expect(setChannel(tagged, stranger.person)).rejects.toMatchObject({ status: 404 })
    await expect(
      app.call(
        setChannelLinks,
        { params: { ...stranger.params, channelId }, body: { own: tagged } },
        { as: stranger.person },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await read()).channels).toEqual([])
  })
})
