import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFilm } from '../testing/film.ts'
import { blankWebm } from './blankWebm.ts'
import { inspectFile } from './inspect.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webm-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function blanked(bytes: Buffer) {
  const path = join(folder, randomUUID())
  await writeFile(path, bytes)
  const changed = await blankWebm(path)
  return { changed, bytes: await readFile(path), facts: await inspectFile(path, '', 'someone') }
}
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75])
const frames = (bytes: Buffer) => bytes.subarray(bytes.indexOf(CLUSTER))

const PLACE = 'at +47.3769+8.5417, home'
const element = (id: number[], ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length + 0x10000000)
  return Buffer.concat([Buffer.from(id), size, body])
}
const tags = (words: string) =>
  element(
    [0x12, 0x54, 0xc3, 0x67],
    element(
      [0x73, 0x73],
      element([0x67, 0xc8], element([0x45, 0xa3], Buffer.from('LOCATION')), element([0x44, 0x87], Buffer.from(words))),
    ),
  )
const attachment = element([0x19, 0x41, 0xa4, 0x69], Buffer.from(PLACE))
const segment = (...parts: Buffer[]) => element([0x18, 0x53, 0x80, 0x67], ...parts)
const head = element([0x1a, 0x45, 0xdf, 0xa3], Buffer.from([0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d]))
const cluster = element([...CLUSTER], Buffer.from('frames'))

it('loses title and date as a real writer stores them, and no frame', async () => {
  const film = await makeFilm({ type: 'webm', title: PLACE })
  expect(film.includes(PLACE)).toBe(true)
  const { changed, bytes, facts } = await blanked(film)
  expect(changed).toBe(true)
  expect(bytes.includes(PLACE)).toBe(false)
  expect(bytes).toHaveLength(film.length)
  expect(facts).toMatchObject({
    kind: 'file',
    facts: { contentType: 'video/webm', seconds: 4, width: 640, videoCodec: 'vp9' },
  })
})

it.each([
  ['tags', tags(PLACE)],
  ['many tags', tags(PLACE.repeat(20_000))],
  ['attachments', attachment],
  [
    'its date',
    element(
      [0x15, 0x49, 0xa9, 0x66],
      element([0x44, 0x61], Buffer.from(PLACE.slice(0, 8))),
      element([0x7b, 0xa9], Buffer.from(PLACE)),
    ),
  ],
])('loses %s before and after its frames', async (_, described) => {
  for (const parts of [
    [described, cluster],
    [cluster, described],
  ]) {
    const { changed, bytes } = await blanked(Buffer.concat([head, segment(...parts)]))
    expect(changed).toBe(true)
    expect(bytes.includes(PLACE.slice(0, 8))).toBe(false)
    expect(frames(bytes).subarray(0, cluster.length).equals(cluster)).toBe(true)
    // what is empty is an element that readers skip
    expect((await blanked(bytes)).changed).toBe(false)
  }
})

it('no longer says in its index where they were', async () => {
  const entry = (id: number[]) =>
    element([0x4d, 0xbb], element([0x53, 0xab], Buffer.from(id)), element([0x53, 0xac], Buffer.from([9])))
  const index = element(
    [0x11, 0x4d, 0x9b, 0x74],
    element([0xbf], Buffer.alloc(4, 7)),
    entry([0x12, 0x54, 0xc3, 0x67]),
    entry([0x16, 0x54, 0xae, 0x6b]),
  )
  const { bytes } = await blanked(Buffer.concat([head, segment(index, cluster, tags(PLACE))]))
  expect(bytes.includes(Buffer.from([0x12, 0x54, 0xc3, 0x67]))).toBe(false)
  expect(bytes.includes(Buffer.from([0x16, 0x54, 0xae, 0x6b]))).toBe(true)
  expect(bytes.includes(Buffer.alloc(4, 7))).toBe(false)
})

it.each([
  ['without any', Buffer.concat([head, segment(cluster)])],
  ['that is cut off', Buffer.concat([head, segment(tags(PLACE), cluster)]).subarray(0, 60)],
  ['of nothing', Buffer.alloc(0)],
  ['of zeros', Buffer.alloc(100)],
])('leaves a file %s as it is', async (_, original) => {
  const { changed, bytes } = await blanked(original)
  expect(changed).toBe(false)
  expect(bytes.equals(original)).toBe(true)
})
