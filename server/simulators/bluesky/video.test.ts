import { afterAll, beforeAll, expect, it } from 'vitest'
import { film, outgoing } from '../../platforms/bluesky/fixtures/outgoing.ts'
import { composePlatforms } from '../../platforms/registry.ts'
import { createSafeFetch } from '../../platforms/safeFetch.ts'
import { startBlueskySimulator, type Simulator } from './start.ts'

let simulator: Simulator
beforeAll(async () => {
  simulator = await startBlueskySimulator()
})
afterAll(() => simulator.stop())

async function connect(handle: string) {
  const { origin, allow } = simulator
  const bluesky = composePlatforms({ plcDirectory: origin, simulatedBluesky: origin })('bluesky')
  const reach = { fetch: createSafeFetch({ allow: [allow] }), signal: new AbortController().signal }
  const connected = await bluesky?.connect.withCredentials?.(reach, { handle, appPassword: 'any', service: origin })
  if (!bluesky || connected?.kind !== 'connected') throw new Error('not connected')
  return { bluesky, reach, secret: connected.secret, account: connected.account }
}

it('converts videos of its accounts: uploaded once, then shown by a post', async () => {
  const { bluesky, reach, secret, account } = await connect('rook.sim.test')
  const post = outgoing('A film', { media: [film(200_000)] })
  const uploaded = await bluesky.publish.prepare(reach, secret, account, post)
  if (uploaded.kind !== 'preparing') throw new Error(JSON.stringify(uploaded))
  const prepared = await bluesky.publish.prepare(reach, secret, account, { ...post, progress: uploaded.progress })
  if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared))
  const sent = await bluesky.publish.send(reach, secret, account, { ...post, progress: prepared.progress })
  expect(sent.kind).toBe('sent')
  expect(simulator.video.uploads).toHaveLength(1)
  expect(simulator.calls.get('com.atproto.repo.uploadBlob')).toBeUndefined()
})

it('knows people to mention by the beginning of their handle', async () => {
  const { bluesky, reach, secret, account } = await connect('crow.sim.test')
  expect(await bluesky.lookups?.people?.(reach, secret, account, { query: '@nora', limit: 10 })).toMatchObject({
    kind: 'found',
    items: [{ name: 'Noraquill', insert: '@noraquill.sim.test' }],
  })
})
