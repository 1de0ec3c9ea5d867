import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allChannels, disableChannel, enableChannel } from '#contract/channels.ts'
import type { Publishing } from '../publishing/start.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { scriptedPlatform, type Scripted } from '../testing/scriptedPlatform.ts'
import { publishingOf } from '../testing/publishingOf.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

/*
 * Posts that became late while their channel was paused, with the real engine: at 10:00 a channel has posts at 10:10
 * and 12:00 and is disabled; at 11:20 the first one is past its hour.
 */

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let platform: Scripted
let home: TestHome
let machine: Publishing | undefined
let channelId: string
let early: string
let coming: string

const MORNING = new Date('2026-11-21T10:00:00Z')

beforeAll(async () => {
  platform = scriptedPlatform()
  app = await startApp({ platforms: { bluesky: platform } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())

beforeEach(async () => {
  await machine?.stop({ drain: 5000 })
  app.clock.set(MORNING)
  home = await app.signedInOwner()
  channelId = await content.channel(home)
  early = await posts.post(home, channelId, { text: `early ${channelId}`, schedule: at('2026-11-21T10:10:00.000Z') })
  coming = await posts.post(home, channelId, { text: `coming ${channelId}`, schedule: at('2026-11-21T12:00:00.000Z') })
  machine = await publishingOf(app, [platform])
  await app.call(disableChannel, { params: { ...home.params, channelId } }, { as: home.person })
})
afterAll(async () => await machine?.stop({ drain: 5000 }))

const enable = (late?: 'wait' | 'publish' | 'drafts', as: TestPerson = home.person) =>
  app.call(enableChannel, { params: { ...home.params, channelId }, body: late ? { late } : {} }, { as })
const shown = async () =>
  (await app.call(allChannels, { params: home.params }, { as: home.person })).channels.find(
    (one) => one.channelId === channelId,
  )
const state = async (id: string) => (await posts.row(id)).state
const sent = (id: 'early' | 'coming') => platform.there.filter(({ text }) => text === `${id} ${channelId}`).length
/** The engine has checked the channel when its late post says so. */
async function untilLate() {
  app.clock.advance({ minutes: 80 })
  await until(async () => (await state(early)) === 'FAILED', { what: 'the post to be late' })
}

describe('late posts', () => {
  it('are counted separately from those that continue', async () => {
    expect(await shown()).toMatchObject({ latePosts: 0, scheduledPosts: 2 })
    await untilLate()
    expect(await shown()).toMatchObject({ latePosts: 1, scheduledPosts: 1, enabled: false })
  })

  it('wait for a person by default, and the others are published on time', async () => {
    await untilLate()
    expect(await enable()).toEqual({
      resumed: 1,
      late: 1,
      message: 'Channel Enabled. 1 scheduled post will be published as planned. 1 late post needs your decision.',
    })
    app.clock.advance({ minutes: 41 })
    await until(async () => (await state(coming)) === 'PUBLISHED')
    expect([await state(early), sent('early'), sent('coming')]).toEqual(['FAILED', 0, 1])
    // still reported, because nobody has decided yet
    expect(await shown()).toMatchObject({ latePosts: 1 })
  })

  it('are published now, once each, if that is chosen', async () => {
    await untilLate()
    expect(await enable('publish')).toEqual({
      resumed: 1,
      late: 1,
      message: 'Channel Enabled. 1 scheduled post will be published as planned. 1 late post is being published now.',
    })
    await until(async () => (await state(early)) === 'PUBLISHED')
    expect(sent('early')).toBe(1)
    expect((await posts.story(early)).slice(-4)).toEqual(['retried', 'due', 'sent', 'confirmed'])
    expect(await shown()).toMatchObject({ latePosts: 0 })
  })

  it('become drafts if that is chosen', async () => {
    await untilLate()
    expect(await enable('drafts')).toEqual({
      resumed: 1,
      late: 1,
      message: 'Channel Enabled. 1 scheduled post will be published as planned. 1 late post became a draft.',
    })
    expect(await posts.row(early)).toMatchObject({
      state: 'DRAFTS',
      step: null,
      step_at: null,
      failure: null,
      channel_id: channelId,
    })
    expect(await shown()).toMatchObject({ latePosts: 0 })
  })

  it("that the engine hasn't seen yet are late all the same, and are published once", async () => {
    await machine?.stop({ drain: 5000 })
    app.clock.advance({ minutes: 80 })
    expect(await state(early)).toBe('SCHEDULED')
    expect(await shown()).toMatchObject({ latePosts: 1 })
    expect(await enable('publish')).toMatchObject({ resumed: 1, late: 1 })
    expect(await posts.row(early)).toMatchObject({
      state: 'SCHEDULED',
      due_at: app.clock.now(),
      step_at: app.clock.now(),
    })
  })

  it('of an earlier pause stay with the person who left them', async () => {
    await untilLate()
    await enable('wait')
    await app.call(disableChannel, { params: { ...home.params, channelId } }, { as: home.person })
    expect(await shown()).toMatchObject({ latePosts: 0 })
    expect(await enable('publish')).toMatchObject({ late: 0 })
    expect([await state(early), sent('early')]).toEqual(['FAILED', 0])
  })

  it('stay where they are if they would be refused', async () => {
    await untilLate()
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channelId])
    expect(await enable('publish')).toEqual({
      resumed: 1,
      late: 1,
      message: 'Channel Enabled. 1 scheduled post will be published as planned. 1 late post needs your decision.',
    })
    expect(await state(early)).toBe('FAILED')
  })

  it("aren't published for people whose role doesn't allow it", async () => {
    await untilLate()
    const role = await app.database.owner.query<{ id: string }>(
      `insert into role (org_id, id, project_id, name, kind, permissions, created_at)
       select org_id, gen_random_uuid(), project_id, 'Keeper of channels', 'custom', '{"channel": ["view", "edit"], "post": ["view"]}', created_at from role where id = $1 returning id`,
      [home.roles.admin],
    )
    const keeper = await app.colleague(home, 'none')
    await app.database.owner.query('update project_member set role_id = $2 where person_id = $1', [
      keeper.personId,
      role.rows[0]?.id,
    ])
    await expect(enable('publish', keeper)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await shown()).toMatchObject({ enabled: false, latePosts: 1 })
    expect(await enable('wait', keeper)).toMatchObject({ late: 1 })
  })
})
