import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { allChannels } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import { submitPost } from '#contract/submit.ts'
import { createNotification } from '../notifications/create.ts'
import type { SignedIn } from '../platforms/platform.ts'
import { testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { checkDueChannels } from './health.ts'

/*
 * What a platform accepts from one account: read when connecting and daily, stored with the channel, and used to check
 * its posts.
 */

let app: TestApp
let home: TestHome
let offered: ChannelLimits | undefined
let told: ChannelLimits | undefined
let count = 0

const account = (): SignedIn => ({
  account: {
    remoteId: `${++count}@rooks.example`,
    name: 'Rook',
    handle: `@rook${count}@rooks.example`,
    pictureUrl: null,
    service: 'https://rooks.example',
  },
  secret: { token: 'a token of the tests' },
  expiresAt: null,
  ...(offered && { limits: offered }),
})

beforeAll(async () => {
  app = await startApp({
    platforms: {
      mastodon: testPlatform({
        key: 'mastodon',
        page: {
          begin: async (_, { state }) => ({ kind: 'begun', url: `https://rooks.example/?state=${state}`, keep: {} }),
          answer: async () => ({ kind: 'accounts', accounts: [account()] }),
        },
        check: async () => ({ kind: 'works', endsAt: null, ...(told && { limits: told }) }),
      }),
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query("update channel set check_at = 'infinity'")
  offered = undefined
  told = undefined
  home = await app.signedInOwner()
})

async function connect(): Promise<string> {
  const as = { as: home.person }
  const params = { ...home.params, platform: 'mastodon' as const }
  const { url } = await app.call(connectAuth, { params, query: { domain: 'rooks.example' } }, as)
  const { flowId, accounts } = await app.call(
    connectCallback,
    { params, body: { state: new URL(url).searchParams.get('state') ?? '', code: 'c' } },
    as,
  )
  const { channels } = await app.call(
    connectConfirm,
    { params, body: { flowId, profiles: accounts.map(({ remoteId }) => remoteId) } },
    as,
  )
  return channels[0]?.channelId ?? ''
}
async function tomorrow(): Promise<void> {
  app.clock.advance({ hours: 24 })
  await checkDueChannels(
    { ...app.parts, notify: createNotification },
    { databases: app.parts.databases, clock: app.clock, log: app.parts.log, signal: new AbortController().signal },
  )
}
const limits = async () =>
  (await app.call(allChannels, { params: home.params }, { as: home.person })).channels[0]?.limits
const submit = (channelId: string, text: string) =>
  app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'SCHEDULE',
        channels: [
          { channelId, postType: 'post', contents: [{ text, media: [] }], additionalDetails: { privacy: 'public' } },
        ],
        schedule: at(new Date(app.clock.now().getTime() + 86_400_000).toISOString()),
      },
    },
    { as: home.person },
  )

it("stores what was read when connecting, and checks the channel's posts by it", async () => {
  offered = { text: 1000, images: 8 }
  const channelId = await connect()
  expect(await limits()).toEqual({ text: 1000, images: 8 })
  await submit(channelId, 'a'.repeat(1000))
  await expect(submit(channelId, 'a'.repeat(1001))).rejects.toMatchObject({
    code: 'POST_REFUSED',
    problem: { errors: { 'channels.0.contents.0.text': ['the text is 1 character over the limit of 1000'] } },
  })
})

it('uses the platform’s rules until a daily check reads something', async () => {
  const channelId = await connect()
  expect(await limits()).toBeNull()
  await expect(submit(channelId, 'a'.repeat(501))).rejects.toMatchObject({ code: 'POST_REFUSED' })
  told = { text: 800 }
  await tomorrow()
  expect(await limits()).toEqual({ text: 800 })
  // a check that reads nothing changes nothing
  told = undefined
  await tomorrow()
  expect(await limits()).toEqual({ text: 800 })
  told = { text: 300 }
  await tomorrow()
  expect(await limits()).toEqual({ text: 300 })
})

it('ignores stored values that make no sense', async () => {
  const channelId = await connect()
  await app.database.owner.query('update channel set limits = \'{"text": -5}\' where id = $1', [channelId])
  expect(await limits()).toBeNull()
  await expect(submit(channelId, 'a'.repeat(501))).rejects.toMatchObject({ code: 'POST_REFUSED' })
})
