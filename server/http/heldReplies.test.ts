import { describe, expect, it } from 'vitest'
import { HeldReplies } from './heldReplies.ts'

const asOf = { revision: { xid: '1', history: 'h', minute: 1, rights: 'r' }, recent: '' }
const shorter = async (_: string, bytes: Buffer) => bytes.subarray(0, 10_000)

describe('held replies', () => {
  it('never take more than their bytes, and drop what was sent least recently', () => {
    const held = new HeldReplies(100_000)
    const put = (key: string) => held.put(key, asOf, 'q', 'x'.repeat(20_000))
    for (const key of ['a', 'b', 'c', 'd']) put(key)
    expect(held.get('a')).toBeDefined()
    put('e')
    expect(['a', 'b', 'c', 'd', 'e'].filter((key) => held.get(key))).toEqual(['a', 'c', 'd', 'e'])
    for (let i = 0; i < 1000; i += 1) {
      put(`key ${i}`)
      expect(held.bytes).toBeLessThanOrEqual(100_000)
    }
  })

  it('know what was asked lately, of a bounded number of questions, and nothing if none may be held', () => {
    const held = new HeldReplies()
    expect([held.isAskedAgain('a'), held.isAskedAgain('a')]).toEqual([false, true])
    for (let i = 0; i < 5000; i += 1) expect(held.isAskedAgain(`other ${i}`)).toBe(false)
    expect([held.isAskedAgain('other 4999'), held.isAskedAgain('a')]).toEqual([true, false])
    const none = new HeldReplies(0)
    expect([none.isAskedAgain('a'), none.isAskedAgain('a')]).toEqual([false, false])
  })

  it('keep no more memory than their own bytes', async () => {
    const held = new HeldReplies()
    const small = async () => Buffer.from('z'.repeat(900))
    for (const [key, json] of [
      ['ASCII', 'x'.repeat(1500)],
      ['Latin', 'é'.repeat(1500)],
      ['a pigeon', `${'x'.repeat(1500)}🕊️`],
      ['large', 'x'.repeat(200_000)],
    ] as const) {
      held.put(key, asOf, 'q', json)
      const reply = held.get(key)
      if (!reply) throw new Error('not held')
      expect(reply.body.toString()).toBe(json)
      const compressed = await held.compressed(key, reply, 'br', small)
      expect(compressed.toString()).toBe('z'.repeat(900))
      for (const bytes of [reply.body, compressed]) expect(bytes.buffer.byteLength).toBe(bytes.length)
    }
  })

  it('count the reply that replaces another, and the compressed ones, once', async () => {
    const held = new HeldReplies(100_000)
    held.put('a', asOf, 'q', 'x'.repeat(20_000))
    const once = held.bytes
    held.put('a', asOf, 'q', 'y'.repeat(20_000))
    expect(held.bytes).toBe(once)
    const reply = held.get('a')
    if (!reply) throw new Error('not held')
    const [one, other] = await Promise.all([
      held.compressed('a', reply, 'br', shorter),
      held.compressed('a', reply, 'br', shorter),
    ])
    expect(one).toBe(other)
    expect(held.bytes).toBe(once + 10_000)
  })

  it('are not grown by a compressed body that was made for a dropped one', async () => {
    const held = new HeldReplies(100_000)
    held.put('a', asOf, 'q', 'x'.repeat(20_000))
    const reply = held.get('a')
    if (!reply) throw new Error('not held')
    const { promise, resolve } = Promise.withResolvers<Buffer>()
    const body = held.compressed('a', reply, 'br', () => promise)
    held.put('a', asOf, 'q', 'y'.repeat(20_000))
    const before = held.bytes
    resolve(Buffer.alloc(5000))
    expect((await body).length).toBe(5000)
    expect(held.bytes).toBe(before)
  })

  it('are compressed again after a failure', async () => {
    const held = new HeldReplies()
    held.put('a', asOf, 'q', 'x'.repeat(20_000))
    const reply = held.get('a')
    if (!reply) throw new Error('not held')
    await expect(held.compressed('a', reply, 'br', () => Promise.reject(new Error('no memory')))).rejects.toThrow(
      'memory',
    )
    expect((await held.compressed('a', reply, 'br', shorter)).length).toBe(10_000)
  })

  it('leave out a reply that would take the place of many', () => {
    const held = new HeldReplies()
    held.put('a', asOf, 'q', 'x'.repeat(2_000_001))
    expect([held.get('a'), held.bytes]).toEqual([undefined, 0])
  })
})
