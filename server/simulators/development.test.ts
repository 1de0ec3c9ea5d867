import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { simulatePlatforms } from './development.ts'

it('says in one plain line each where another program answers for simulated channels already', async () => {
  const others = [createServer(), createServer()]
  for (const other of others) {
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
  }
  // listening TCP servers have addresses with ports
  const [port = 0, second = 0] = others.map((other) => (other.address() as AddressInfo).port)
  const said: unknown[] = []
  const log = {
    info: (facts: object, message: string) => void said.push(['info', facts, message]),
    warn: (facts: object, message: string) => void said.push(['warn', facts, message]),
  }
  const stop = await simulatePlatforms(
    { SIMULATOR_PORT: port, SIMULATED_PLATFORMS: `http://127.0.0.1:${second}`, DATA_DIR: import.meta.dirname },
    log,
  )
  const line = 'another process serves simulated channels at this address'
  expect(new Set(said)).toEqual(
    new Set([port, second].map((taken) => ['info', { service: `http://127.0.0.1:${taken}` }, line])),
  )
  await stop()
  for (const other of others) other.close()
})

it("starts simulators that aren't running yet, and stops them", async () => {
  const free = createServer()
  free.listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  await once(free, 'close')
  const said: string[] = []
  const stop = await simulatePlatforms(
    { SIMULATOR_PORT: port, SIMULATED_PLATFORMS: undefined, DATA_DIR: import.meta.dirname },
    { info: (_, message) => void said.push(message), warn: (_, message) => void said.push(message) },
  )
  expect(said).toEqual(['simulated channels are ready'])
  await stop()
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
})
