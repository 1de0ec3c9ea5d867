import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startObjectServer } from '../testing/objectStore.ts'
import { until } from '../testing/until.ts'
import { ANSWER_MS, openBucket, type Bucket } from './bucket.ts'

let server: Awaited<ReturnType<typeof startObjectServer>>
let bucket: Bucket
beforeAll(async () => {
  server = await startObjectServer()
  bucket = await openBucket({ ...server.settings, prefix: 'team-a/' })
})
afterAll(async () => {
  bucket.close()
  await server.stop()
})

const textOf = async (key: string, range?: { start: number; end: number }) => {
  const { bytes, length } = await bucket.open(key, range)
  return { length, text: Buffer.concat(await bytes.toArray()).toString() }
}

describe('a bucket', () => {
  it('stores bytes, reads them completely and by range, and deletes them', async () => {
    await bucket.put('media/one', Buffer.from('hello world'))
    expect(Buffer.from(await bucket.read('media/one')).toString()).toBe('hello world')
    expect(await textOf('media/one')).toEqual({ length: 11, text: 'hello world' })
    expect(await textOf('media/one', { start: 6, end: 9 })).toEqual({ length: 3, text: 'wor' })
    await bucket.delete('media/one')
    await expect(bucket.read('media/one')).rejects.toThrow('does not exist')
    expect(await bucket.find('media/one')).toBeUndefined()
    await bucket.delete('media/one')
  })

  it('accepts a file that is larger than one part, with its metadata', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'rookery-test-')), 'large')
    writeFileSync(path, Buffer.alloc(17 * 1024 * 1024, 'rook'))
    await bucket.upload('media/large', path, { checked: 'yes' })
    expect(await bucket.find('media/large')).toEqual({ bytes: 17 * 1024 * 1024, metadata: { checked: 'yes' } })
    expect(await textOf('media/large', { start: 17 * 1024 * 1024 - 4, end: 17 * 1024 * 1024 })).toEqual({
      length: 4,
      text: 'rook',
    })
  })

  it('sees nothing outside of its prefix, and lists its own keys in order', async () => {
    const other = await openBucket({ ...server.settings, prefix: 'team-b/' })
    await other.put('list/b', Buffer.from('theirs'))
    for (const key of ['list/c', 'list/a']) await bucket.put(key, Buffer.from(key))
    const keys: string[] = []
    for await (const { key, bytes } of bucket.list('list/')) keys.push(`${key} ${bytes}`)
    expect(keys).toEqual(['list/a 6', 'list/c 6'])
    await expect(bucket.read('list/b')).rejects.toThrow('does not exist')
    other.close()
  })
})

describe("an object store that can't be used", () => {
  it.each([
    ['has no such bucket', { bucket: 'none' }, /no bucket "none"/],
    ['refuses the keys', { credentials: { accessKeyId: 'x', secretAccessKey: 'y' } }, /S3_ACCESS_KEY_ID/],
    ['does not answer', { endpoint: 'http://127.0.0.1:9' }, /can't be reached/],
  ])('stops the start with a sentence when it %s', async (_what, wrong, words) => {
    await expect(openBucket({ ...server.settings, ...wrong })).rejects.toThrow(words)
  })

  it("throws UNAVAILABLE and reports why while it doesn't respond", async () => {
    let isAway = false
    const front = createServer((request, response) => {
      response.writeHead(isAway ? 503 : 200).end()
      request.resume()
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const listening = front.address()
    if (listening === null || typeof listening === 'string') throw new Error('a port was asked for')
    const endpoint = `http://127.0.0.1:${listening.port}`
    const report = vi.fn<(error: unknown) => void>()
    const away = await openBucket({ ...server.settings, endpoint }, report)
    isAway = true
    await expect(away.put('media/one', Buffer.from('x'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(report).toHaveBeenCalledOnce()
    away.close()
    front.close()
  })

  it.each([
    ['a file', (stuck: Bucket) => stuck.open('media/one')],
    ['its bytes', (stuck: Bucket) => stuck.read('media/one')],
    ['its size', (stuck: Bucket) => stuck.find('media/one')],
    ['a deletion', (stuck: Bucket) => stuck.delete('media/one')],
    ['a list', (stuck: Bucket) => stuck.list('media/').next()],
  ])('throws UNAVAILABLE after ten seconds if it accepts calls and never answers: %s', async (_what, call) => {
    let asked = 0
    const front = createServer((request, response) => {
      request.resume()
      if (asked++ === 0) response.writeHead(200).end()
    })
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    const listening = front.address()
    if (listening === null || typeof listening === 'string') throw new Error('a port was asked for')
    const report = vi.fn<(error: unknown) => void>()
    const stuck = await openBucket({ ...server.settings, endpoint: `http://127.0.0.1:${listening.port}` }, report)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const outcome = call(stuck).then(
        () => 'answered',
        (error: unknown) => error,
      )
      await until(() => asked === 2)
      vi.advanceTimersByTime(ANSWER_MS - 1)
      expect(report).not.toHaveBeenCalled()
      vi.advanceTimersByTime(1)
      expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' })
      expect(report).toHaveBeenCalledExactlyOnceWith(new Error('no answer within 10 seconds'))
      expect(asked).toBe(2)
    } finally {
      vi.useRealTimers()
      stuck.close()
      front.closeAllConnections()
      front.close()
    }
  })
})
