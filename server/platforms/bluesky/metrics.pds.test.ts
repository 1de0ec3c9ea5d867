import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sharedPds, startPds, type TestPds } from '../../testing/pds/startPds.ts'
import type { Platform, Reach } from '../platform.ts'
import { createSafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'

/* The real server asks what counts the network's posts in the name of the account; that one is played here. */

let appView: Server
let pds: TestPds
let alone: TestPds
let bluesky: Platform
let reach: Reach
const asked: { uris: string[]; for: unknown }[] = []

beforeAll(async () => {
  appView = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://appview.test')
    const [, claims = ''] = (request.headers.authorization ?? '').split('.')
    const uris = url.searchParams.getAll('uris')
    if (url.pathname === '/xrpc/app.bsky.feed.getPosts')
      asked.push({ uris, for: JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') })
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        posts: uris.map((uri) => ({
          uri,
          cid: 'bafyreib2rxk3rybk3aobmv5cjuql3bm2twh4jo5uxgf5kpqcsgz7soitae',
          author: { did: 'did:plc:rook', handle: 'rook.test' },
          record: {},
          likeCount: 7,
          indexedAt: '2026-11-21T10:00:00Z',
        })),
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(appView, 'listening')
  // a TCP server's address is an object
  const { port } = appView.address() as AddressInfo
  ;[pds, alone] = await Promise.all([startPds({ appView: `http://localhost:${port}` }), sharedPds()])
  bluesky = createBluesky({ plcDirectory: pds.directory })
  reach = {
    fetch: createSafeFetch({ allow: [pds.host, pds.directoryHost, alone.host, alone.directoryHost] }),
    signal: new AbortController().signal,
  }
})
afterAll(async () => {
  await pds.stop()
  appView.close()
})

async function read(server: TestPds, keys: readonly string[]) {
  const account = await server.createAccount()
  const connected = await createBluesky({ plcDirectory: server.directory }).connect.withCredentials?.(reach, {
    handle: account.handle,
    appPassword: account.appPassword,
    service: server.url,
  })
  if (connected?.kind !== 'connected') throw new Error('not connected')
  const uris = keys.map((key) => `at://${account.did}/app.bsky.feed.post/${key}`)
  const posts = uris.map((remoteId) => ({
    remoteId,
    postType: 'post' as const,
    publishedAt: new Date('2026-11-21T10:00:00Z'),
  }))
  return {
    account,
    uris,
    answer: await bluesky.metrics?.read(
      reach,
      connected.secret,
      { remoteId: account.did, handle: account.handle, service: server.url },
      posts,
    ),
  }
}

it("asks the app view through the account's server, on the account's behalf", async () => {
  const { account, uris, answer } = await read(pds, ['3ka', '3kb'])
  expect(answer).toMatchObject({
    kind: 'metrics',
    of: new Map(uris.map((uri) => [uri, { reactions: 7 }])),
  })
  expect(asked).toEqual([{ uris, for: expect.objectContaining({ iss: account.did, lxm: 'app.bsky.feed.getPosts' }) }])
})

it('reports that a server without an app view has no metrics, and changes nothing else', async () => {
  const { answer } = await read(alone, ['3ka'])
  expect(answer).toMatchObject({ kind: 'rejected', reason: { params: { doing: 'show-figures' } } })
})
