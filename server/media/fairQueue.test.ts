import { expect, it } from 'vitest'
import { drawPicture } from '../testing/content.ts'
import { until } from '../testing/until.ts'
import { fitImage } from './fitImage.ts'
import { NOBODYS, fairQueue } from './fairQueue.ts'

/* Who waits for whom when one thing is done at a time. */

const held = () => {
  const order: string[] = []
  const releases: (() => void)[] = []
  const work = (name: string) => () => {
    order.push(name)
    return new Promise<string>((resolve) => releases.push(() => resolve(name)))
  }
  const next = async () => {
    releases.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { order, work, next }
}

it('takes from each line in turn, one at a time', async () => {
  const inTurn = fairQueue()
  const { order, work, next } = held()
  const all = [
    inTurn('a', work('a1')),
    inTurn('a', work('a2')),
    inTurn('a', work('a3')),
    inTurn('b', work('b1')),
    inTurn(NOBODYS, work('nobody’s')),
  ]
  for (let i = 0; i < all.length; i++) {
    expect(order).toHaveLength(i + 1)
    await next()
  }
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'nobody’s'])
  expect(order).toEqual(['a1', 'a2', 'b1', 'nobody’s', 'a3'])
})

it("refuses work beyond one line's limit, and takes the others'", async () => {
  const inTurn = fairQueue(2)
  const { work, next } = held()
  const all = [1, 2, 3].map((n) => inTurn('a', work(`a${n}`)))
  await expect(inTurn('a', work('a4'))).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    facts: { detail: '2 images are already being processed. Wait until some are done.' },
  })
  const others = [1, 2, 3, 4].map((n) => inTurn(NOBODYS, work(`${n}`)))
  for (let i = 0; i < 7; i++) await next()
  expect(await Promise.all([...all, ...others])).toHaveLength(7)
})

it('continues after a failure', async () => {
  const inTurn = fairQueue()
  const broken = inTurn('a', () => Promise.reject(new Error('broken')))
  const fine = inTurn('a', async () => 'fine')
  await expect(broken).rejects.toThrow('broken')
  expect(await fine).toBe('fine')
})

it('keeps a waiting image out of memory', async () => {
  const picture = await drawPicture({ width: 300, height: 300, noise: true })
  const readings: (() => void)[] = []
  const read = () => new Promise<Uint8Array>((resolve) => readings.push(() => resolve(picture)))
  const fitted = [1, 2].map(() => fitImage(read, { types: ['image/jpeg'], bytes: 50_000 }, 'someone'))
  await until(() => readings.length > 0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(readings).toHaveLength(1)
  readings[0]?.()
  await fitted[0]
  await until(() => readings.length === 2)
  readings[1]?.()
  expect(await fitted[1]).toMatchObject({ contentType: 'image/jpeg' })
})
