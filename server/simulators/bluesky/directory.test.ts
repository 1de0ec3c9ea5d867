import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { didOf } from './accounts.ts'
import { startBlueskySimulator, type Simulator } from './start.ts'

let others: Simulator
let simulator: Simulator
beforeAll(async () => {
  others = await startBlueskySimulator()
  simulator = await startBlueskySimulator({ otherAccounts: others.origin })
})
afterAll(() => Promise.all([simulator.stop(), others.stop()]))

const Document = z.object({ id: z.string(), service: z.array(z.object({ serviceEndpoint: z.string() })) })
const signIn = (at: Simulator, identifier: string) =>
  fetch(`${at.origin}/xrpc/com.atproto.server.createSession`, {
    method: 'POST',
    body: JSON.stringify({ identifier, password: 'any' }),
  })
async function serverOf(handle: string) {
  const answer = await fetch(`${simulator.origin}/${encodeURIComponent(didOf(handle))}`)
  const document = Document.safeParse(await answer.json()).data
  return { status: answer.status, id: document?.id, server: document?.service[0]?.serviceEndpoint }
}

it('is the directory of its accounts, and forwards requests about others', async () => {
  await signIn(simulator, 'rook.sim.test')
  await signIn(others, 'crow.sim.test')
  expect(await serverOf('rook.sim.test')).toEqual({ status: 200, id: didOf('rook.sim.test'), server: simulator.origin })
  expect(await serverOf('crow.sim.test')).toEqual({ status: 200, id: didOf('crow.sim.test'), server: others.origin })
  expect(await serverOf('nobody.sim.test')).toMatchObject({ status: 404 })
})
