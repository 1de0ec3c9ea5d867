import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allChannels } from '#contract/channels.ts'
import { connectSimulated, connectWays } from '#contract/connect.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import type { TestHome } from '../testing/people.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { channelJobs } from './jobs.ts'

/* Development: an account of each simulated platform by one call, and nowhere else. */

let outside: RunningPlatforms
let bluesky: Simulator
let app: TestApp
let home: TestHome
beforeAll(async () => {
  outside = await startPlatforms({ now: () => app.clock.now().getTime() })
  bluesky = await startBlueskySimulator()
  const platforms = composePlatforms({ plcDirectory: bluesky.origin, publicUrl: 'http://rookery.test' })
  const all = Object.fromEntries(
    platformKeys.flatMap((key) => {
      const adapter = platforms(key)
      return adapter ? [[key, adapter]] : []
    }),
  )
  const fetch = simulated(createSafeFetch({ allow: [outside.allow, bluesky.allow] }), hostsOf(platforms), outside.base)
  app = await startApp({
    env: { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: outside.base, SIMULATOR_PORT: new URL(bluesky.origin).port },
    platforms: all,
    fetch,
  })
  home = await app.signedInOwner()
})
afterAll(async () => {
  await app.close()
  await outside.stop()
  await bluesky.stop()
})

const connect = (platform: PlatformKey) =>
  app.call(connectSimulated, { params: { ...home.params, platform } }, { as: home.person })

describe('where platforms are simulated', () => {
  it('every platform says so', async () => {
    const { platforms } = await app.call(connectWays, { params: home.params }, { as: home.person })
    expect(platforms.filter((one) => one.simulated).map(({ platform }) => platform)).toEqual([...platformKeys])
  })

  it.each(platformKeys)('an account of %s is connected by one call, and marked', async (platform) => {
    const { channel, message } = await connect(platform)
    expect(channel).toMatchObject({ platformName: platform, status: 'CONNECTED', simulated: true })
    expect(message).toBe('Channel connected')
  })

  it('has pictures of its own for each account, which the simulators serve', async () => {
    await runJobs(app, channelJobs(app.parts))
    const { channels } = await app.call(allChannels, { params: home.params }, { as: home.person })
    // the simulated Google locations and LinkedIn Pages have none
    const shown = channels.flatMap(({ profileUrl }) => profileUrl ?? [])
    expect(shown.length).toBeGreaterThanOrEqual(platformKeys.length - 2)
    const { rows } = await app.database.owner.query('select distinct bytes from channel_picture')
    expect(rows).toHaveLength(shown.length)
  })

  it('the next call connects another account', async () => {
    for (const platform of ['facebook', 'instagram', 'mastodon', 'bluesky'] as const) await connect(platform)
    const { channels } = await app.call(allChannels, { params: home.params }, { as: home.person })
    expect(new Set(channels.map(({ platformName, handle }) => `${platformName} ${handle}`)).size).toBe(15)
  })

  it('the plan counts them', async () => {
    await expect(connect('x')).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })
})

it('elsewhere nothing is simulated, and the call is refused', async () => {
  const real = await startApp({ database: app.database })
  const owner = await real.signedInOwner()
  const { platforms } = await real.call(connectWays, { params: owner.params }, { as: owner.person })
  expect(platforms.filter((one) => one.simulated)).toEqual([])
  await expect(
    real.call(connectSimulated, { params: { ...owner.params, platform: 'facebook' } }, { as: owner.person }),
  ).rejects.toMatchObject({ code: 'CHANNEL_REFUSED', status: 422 })
  const { channels } = await real.call(allChannels, { params: owner.params }, { as: owner.person })
  expect(channels).toEqual([])
})
