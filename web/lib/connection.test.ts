import { expect, it } from 'vitest'
import { createConnection } from './connection.ts'

function watched() {
  const timers: (() => void)[] = []
  const world = { answers: true, network: true, time: 1_000, asked: 0 }
  const heard: string[] = []
  const connection = createConnection({
    ask: () => {
      world.asked += 1
      return Promise.resolve(world.answers)
    },
    hasNetwork: () => world.network,
    after: (_, run) => {
      timers.push(run)
      return () => void timers.splice(timers.indexOf(run), 1)
    },
    now: () => world.time,
  })
  connection.subscribe(() => heard.push(connection.state().kind))
  /** Advances to the next pending timer. */
  const pass = async () => {
    for (const run of timers.splice(0)) run()
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { connection, world, heard, timers, pass }
}

it("keeps the time of the last response while the server is unavailable, and retries until it's back", async () => {
  const { connection, world, heard, timers, pass } = watched()
  world.time = 5_000
  connection.heard(200)
  world.time = 9_000
  world.answers = false
  connection.lost()
  connection.lost()
  expect(connection.state()).toEqual({ kind: 'unreachable', since: 5_000 })
  await pass()
  await pass()
  expect({ state: connection.state(), waiting: timers.length }).toEqual({
    state: { kind: 'unreachable', since: 5_000 },
    waiting: 1,
  })
  world.answers = true
  await pass()
  expect({ heard, waiting: timers.length }).toEqual({ heard: ['unreachable', 'online'], waiting: 0 })
})

it("distinguishes a missing network from a server that doesn't respond", () => {
  const { connection, world } = watched()
  world.network = false
  connection.lost()
  expect(connection.state().kind).toBe('offline')
})

it('asks the server itself if a proxy responds for it, and counts its refusals as responses', async () => {
  const { connection, world, heard, pass } = watched()
  connection.heard(500)
  connection.heard(404)
  expect(connection.state().kind).toBe('online')
  world.answers = false
  connection.heard(502)
  await pass()
  expect(connection.state().kind).toBe('unreachable')
  // any response of the app ends it, without waiting for the next try
  connection.heard(401)
  expect(heard).toEqual(['unreachable', 'online'])
})

it("doesn't take one failed call for an unavailable server, and asks once for many", async () => {
  const { connection, world, heard, pass } = watched()
  await Promise.all([connection.check(), connection.check()])
  expect({ heard, asked: world.asked }).toEqual({ heard: [], asked: 1 })
  world.answers = false
  await connection.check()
  await pass()
  expect({ heard, asked: world.asked }).toEqual({ heard: ['unreachable'], asked: 3 })
})
