import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSimulated } from '#contract/connect.ts'
import { getConversation, inboxChannels, listConversations } from '#contract/inbox/conversations.ts'
import { sendReply } from '#contract/inbox/replies.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { openMedia } from '../media/open.ts'
import { createNotification } from '../notifications/create.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { startPublishing } from '../publishing/start.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { passesUntil } from '../testing/passesUntil.ts'
import { readDueInboxes } from './read.ts'
import { replySubject } from './replies/subject.ts'

/* From someone who writes on a simulated platform to a conversation that a member lists, as in development. */

let outside: RunningPlatforms
let bluesky: Simulator
let app: TestApp
let home: TestHome
beforeAll(async () => {
  const now = () => app.clock.now().getTime()
  outside = await startPlatforms({ now })
  bluesky = await startBlueskySimulator({ now })
  const platforms = composePlatforms({ plcDirectory: bluesky.origin, publicUrl: 'http://rookery.test' })
  const fetch = simulated(createSafeFetch({ allow: [outside.allow, bluesky.allow] }), hostsOf(platforms), outside.base)
  const [onBluesky, onMastodon] = [platforms('bluesky'), platforms('mastodon')]
  app = await startApp({
    env: { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: outside.base, SIMULATOR_PORT: new URL(bluesky.origin).port },
    platforms: { ...(onBluesky && { bluesky: onBluesky }), ...(onMastodon && { mastodon: onMastodon }) },
    fetch,
  })
  home = await app.signedInOwner()
})
afterAll(async () => {
  await app.close()
  await outside.stop()
  await bluesky.stop()
})

const connect = async (platform: PlatformKey) =>
  (await app.call(connectSimulated, { params: { ...home.params, platform } }, { as: home.person })).channel
const read = () => readDueInboxes(app.parts, { ...app.parts, signal: new AbortController().signal })
const listed = async (channelId: string) =>
  (await app.call(listConversations, { params: home.params, query: { channelId } }, { as: home.person })).conversations
const texts = async (conversationId: string) => {
  const { items } = await app.call(getConversation, { params: { ...home.params, conversationId } }, { as: home.person })
  return items.map(({ text, direction }) => `${direction}: ${text}`)
}
const states = async (channelId: string) => {
  const { channels } = await app.call(inboxChannels, { params: home.params }, { as: home.person })
  return Object.fromEntries(
    channels.find((one) => one.channelId === channelId)?.kinds.map(({ kind, state }) => [kind, state]) ?? [],
  )
}

describe('what someone writes', () => {
  it('on Bluesky is listed with the next reading: a reply, its answer, and a chat', async () => {
    const channel = await connect('bluesky')
    const us = channel.handle.slice(1)
    const post = bluesky.people.write({ from: us, text: 'Open on Sunday' })
    await read()
    expect(await listed(channel.channelId)).toEqual([])
    app.clock.advance({ minutes: 20 })
    const comment = bluesky.people.write({ from: 'nora.sim.test', text: 'All day?', parent: post })
    bluesky.people.say({ from: 'otis.sim.test', to: us, text: 'A table for two' })
    await read()
    const open = new Map((await listed(channel.channelId)).map((one) => [one.kind, one]))
    const waiting = { status: 'OPEN', unanswered: 1 }
    expect(open.get('comment')).toMatchObject({ ...waiting, preview: 'All day?', person: { name: 'Nora' } })
    expect(open.get('message')).toMatchObject({
      ...waiting,
      preview: 'A table for two',
      person: { name: 'otis.sim.test' },
    })
    app.clock.advance({ minutes: 20 })
    bluesky.people.write({ from: us, text: 'Until six', parent: comment })
    await read()
    const answered = (await listed(channel.channelId)).find(({ kind }) => kind === 'comment')
    expect(answered).toMatchObject({ unanswered: 0, waitingSince: null, lastDirection: 'sent' })
    expect(await texts(answered?.conversationId ?? '')).toEqual(['received: All day?', 'sent: Until six'])
    expect(await states(channel.channelId)).toMatchObject({
      comment: 'reading',
      mention: 'reading',
      message: 'reading',
      review: 'none',
    })
  })

  it('on Mastodon is listed with the next reading', async () => {
    const { channel, us } = await connectMastodon()
    await writeOnMastodon(`Is @${us} open?`)
    expect(await listed(channel.channelId)).toMatchObject([
      { kind: 'mention', preview: `Is @${us} open?`, status: 'OPEN' },
    ])
  })
})

describe('a reply with a picture', () => {
  it('on Mastodon is uploaded with its alt text and sent by the lane, and read back as one item', async () => {
    const { channel, us } = await connectMastodon()
    const { state, calls } = outside.platform('mastodon')
    await writeOnMastodon(`@${us}, what does it look like?`)
    const [{ conversationId } = { conversationId: '' }] = await listed(channel.channelId)
    const assetId = await contentOn(app.parts).picture(home)
    const replyId = randomUUID()
    const { state: before } = await app.call(
      sendReply,
      {
        params: { ...home.params, conversationId },
        body: { replyId, text: 'Like this', assetIds: [assetId], altTexts: { [assetId]: 'A blue jug' } },
      },
      { as: home.person },
    )
    const uploads = () => calls.filter((call) => call.endsWith('/api/v2/media')).length
    expect({ before, uploads: uploads() }).toEqual({ before: 'PENDING', uploads: 0 })
    const { databases, clock, secrets, apps, platforms, media, fetch } = app.parts
    const mastodon = platforms('mastodon')
    const node = await startPublishing({
      isAsApproved: () => true,
      subjects: [replySubject()],
      databases,
      clock,
      platforms: mastodon ? [mastodon] : [],
      secrets,
      apps,
      media: openMedia(databases.background, media),
      fetch,
      notify: createNotification,
      log: quietLog,
      options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 600_000 },
    })
    const { owner } = app.database
    const isSent = async () =>
      (await owner.query("select from reply where id = $1 and state = 'SENT'", [replyId])).rowCount === 1
    try {
      // a call that failed on the way is tried again later
      await passesUntil({ owner, clock: app.clock }, isSent, 'the reply to be sent')
    } finally {
      await node.stop({ drain: 1000 })
    }
    const replies = state.live(({ text }) => text.endsWith('Like this'))
    expect(replies).toMatchObject([{ parent: expect.any(String), media: [expect.any(String)] }])
    expect(uploads()).toBe(1)
    app.clock.advance({ minutes: 20 })
    await read()
    const { items } = await app.call(
      getConversation,
      { params: { ...home.params, conversationId } },
      { as: home.person },
    )
    const altTexts = (files: (typeof items)[number]['media']) => files.map(({ altText }) => altText)
    expect(items.map(({ direction, media: files, reply }) => [direction, altTexts(files), reply?.state])).toEqual([
      ['received', [], undefined],
      ['sent', ['A blue jug'], 'SENT'],
    ])
  })
})

async function connectMastodon() {
  const channel = await connect('mastodon')
  await read()
  return { channel, us: /@([^@]+)@/.exec(channel.handle)?.[1] ?? '' }
}

/** Another account writes, and it's read. */
async function writeOnMastodon(text: string): Promise<void> {
  app.clock.advance({ minutes: 20 })
  const { state } = outside.platform('mastodon')
  const other = state.accounts.find(({ handle }) => !text.includes(`@${handle}`))
  const status = { account: other?.id ?? '', kind: 'status', text, more: { visibility: 'public' } }
  state.publish(status, app.clock.now().getTime())
  await read()
}
