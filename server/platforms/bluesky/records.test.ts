import { describe, expect, it } from 'vitest'
import { outgoingPost } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach } from '../platform.ts'
import { createBluesky } from './adapter.ts'

const { publish } = createBluesky({ plcDirectory: 'https://plc.directory' })
const secret = { accessJwt: 'a', refreshJwt: 'r', did: 'did:plc:rook', pds: 'https://pds.example' }
const account = { remoteId: 'did:plc:rook', handle: 'rook.example', service: null }
const key = '3lbirdsoffeath'
const uri = `at://did:plc:rook/app.bsky.feed.post/${key}`

async function send(...steps: Step[]) {
  const reach: Reach = { fetch: scriptedFetch('bluesky', steps), signal: new AbortController().signal }
  return await publish.send(reach, secret, account, outgoingPost({ text: 'Fly', sendKey: key }))
}
const refused = (status: number, error: string): Step => ({ status, json: { error, message: 'Words of the server' } })

describe('a key that an earlier send has taken is our own post, whatever the server answers:', () => {
  it.each([
    [400, 'InvalidRequest'],
    [400, 'RecordAlreadyExists'],
    [400, 'InvalidSwap'],
    [409, 'Conflict'],
    [500, 'InternalServerError'],
  ])('%i %s', async (status, error) => {
    const there: Step = { json: { uri, cid: 'bafyrook', value: { $type: 'app.bsky.feed.post' } } }
    expect(await send(refused(status, error), there)).toEqual({
      kind: 'sent',
      remoteId: uri,
      progress: { cid: 'bafyrook' },
    })
  })

  it('fails a refused record only if its key is certainly free', async () => {
    const [invalid, free] = [refused(400, 'InvalidRequest'), refused(400, 'RecordNotFound')]
    expect(await send(invalid, free)).toMatchObject({ kind: 'rejected', reason: { code: 'refused' } })
    expect(await send(invalid, refused(503, 'Unavailable'))).toMatchObject({ kind: 'unknown' })
  })
})
