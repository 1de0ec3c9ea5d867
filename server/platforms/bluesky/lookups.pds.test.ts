import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedPds, startPds, type TestPds } from '../../testing/pds/startPds.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'

/* People to mention: the real server asks its app view in the name of the account; that one is played here. */

let appView: Server
let pds: TestPds
let alone: TestPds
const asked: URL[] = []

beforeAll(async () => {
  appView = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://appview.test')
    asked.push(url)
    response.setHeader('content-type', 'application/json')
    const actor = (handle: string, more: object) => ({ did: `did:plc:${handle.slice(0, 4)}`, handle, ...more })
    response.end(
      JSON.stringify({
        actors: [
          actor('rook.example.com', { displayName: 'Rook ', avatar: 'https://cdn.example.com/rook.jpg' }),
          actor('rookery.bsky.social', { displayName: '', avatar: 'javascript:alert(1)' }),
          actor('handle.invalid', { displayName: 'Nobody' }),
        ],
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(appView, 'listening')
  // a TCP server's address is an object
  const { port } = appView.address() as AddressInfo
  ;[pds, alone] = await Promise.all([startPds({ appView: `http://localhost:${port}` }), sharedPds()])
})
afterAll(async () => {
  await pds.stop()
  appView.close()
})

async function search(server: TestPds, query: string) {
  const bluesky = createBluesky({ plcDirectory: server.directory })
  const reach = {
    fetch: createSafeFetch({ allow: [server.host, server.directoryHost] }),
    signal: new AbortController().signal,
  }
  const { did, handle, appPassword } = await server.createAccount()
  const fields = { handle, appPassword, service: server.url }
  const connected = await bluesky.connect.withCredentials?.(reach, fields)
  if (connected?.kind !== 'connected') throw new Error('not connected')
  const account = { remoteId: did, handle: `@${handle}`, service: server.url }
  asked.length = 0
  return await bluesky.lookups?.people?.(reach, connected.secret, account, { query, limit: 10 })
}

it('finds accounts in the network whose handle or name starts with the query', async () => {
  expect(await search(pds, '@rook')).toEqual({
    kind: 'found',
    items: [
      {
        id: 'did:plc:rook',
        name: 'Rook',
        detail: '@rook.example.com',
        pictureUrl: 'https://cdn.example.com/rook.jpg',
        insert: '@rook.example.com',
      },
      {
        id: 'did:plc:rook',
        name: 'rookery.bsky.social',
        detail: '@rookery.bsky.social',
        pictureUrl: null,
        insert: '@rookery.bsky.social',
      },
    ],
  })
  const [url] = asked
  expect(url?.pathname).toBe('/xrpc/app.bsky.actor.searchActorsTypeahead')
  expect(Object.fromEntries(url?.searchParams ?? [])).toEqual({ q: 'rook', limit: '10' })
})

it('finds no one while no name is typed', async () => {
  expect(await search(pds, '@')).toEqual({ kind: 'found', items: [] })
  expect(asked).toEqual([])
})

it('explains that a server without an app view finds no one', async () => {
  const answer = await search(alone, 'rook')
  expect(answer).toEqual({
    kind: 'closed',
    reason: { code: 'bluesky-no-people-search' },
  })
})
