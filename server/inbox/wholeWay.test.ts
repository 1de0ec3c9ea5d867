import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectSimulated } from '#contract/connect.ts'
import { getConversation, inboxChannels, listConversations } from '#contract/inbox/conversations.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { readDueInboxes } from './read.ts'

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
    const channel = await connect('mastodon')
    const { state } = outside.platform('mastodon')
    const us = /@([^@]+)@/.exec(channel.handle)?.[1] ?? ''
    await read()
    app.clock.advance({ minutes: 20 })
    const other = state.accounts.find(({ handle }) => handle !== us)
    state.publish(
      { account: other?.id ?? '', kind: 'status', text: `Is @${us} open?`, more: { visibility: 'public' } },
      app.clock.now().getTime(),
    )
    await read()
    expect(await listed(channel.channelId)).toMatchObject([
      { kind: 'mention', preview: `Is @${us} open?`, status: 'OPEN' },
    ])
  })
})
