import { crc32 } from 'node:zlib'
import { drawPicture } from './content.ts'

/** A PNG that moves, all frames alike: nothing here writes one (PNG, third edition, 11.3.6). */
export async function animatedPng(frames: number, delay: readonly [number, number]): Promise<Buffer> {
  const still = await drawPicture({ width: 30, height: 20, type: 'png' })
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
    const whole = Buffer.alloc(named.length + 8)
    whole.writeUInt32BE(body.length)
    named.copy(whole, 4)
    whole.writeUInt32BE(crc32(named), named.length + 4)
    return whole
  }
  const at = still.indexOf('IDAT') - 4
  const pixels = still.subarray(at + 8, at + 8 + still.readUInt32BE(at))
  const count = Buffer.alloc(8)
  count.writeUInt32BE(frames)
  let sequence = 0
  const control = () => {
    const body = Buffer.alloc(26)
    body.writeUInt32BE(sequence, 0)
    sequence += 1
    body.writeUInt32BE(30, 4)
    body.writeUInt32BE(20, 8)
    body.writeUInt16BE(delay[0], 20)
    body.writeUInt16BE(delay[1], 22)
    return chunk('fcTL', body)
  }
  const parts = [still.subarray(0, at), chunk('acTL', count), control(), chunk('IDAT', pixels)]
  for (let frame = 1; frame < frames; frame += 1) {
    const own = Buffer.alloc(4)
    parts.push(control())
    own.writeUInt32BE(sequence)
    sequence += 1
    parts.push(chunk('fdAT', Buffer.concat([own, pixels])))
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))])
}

/** A GIF or WebP with this many frames, each shown for a fifth of a second; one alone doesn't move. */
export async function movingPicture(
  type: 'gif' | 'webp',
  frames: number,
  { width = 30, height = 20 } = {},
): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const each = await Promise.all(
    Array.from({ length: frames }, () => drawPicture({ width, height, type: 'png', noise: true })),
  )
  const film = frames > 1 ? sharp(each, { join: { animated: true } }) : sharp(each[0])
  const delay = each.map(() => 200)
  return await (type === 'gif' ? film.gif({ delay }) : film.webp({ delay })).toBuffer()
}
