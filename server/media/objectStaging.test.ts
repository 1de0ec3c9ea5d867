import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Upload } from '@tus/server'
import { array, assert, asyncProperty, integer, nat, record } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBucket, type Bucket } from '../objectStore/bucket.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import { startObjectServer } from '../testing/objectStore.ts'
import { objectStaging } from './objectStaging.ts'

let server: Awaited<ReturnType<typeof startObjectServer>>
let bucket: Bucket
const nodeFolder = () => mkdtempSync(join(tmpdir(), 'rookery-test-node-'))
beforeAll(async () => {
  server = await startObjectServer()
  bucket = await openBucket(server.settings)
})
afterAll(async () => {
  bucket.close()
  await server.stop()
})

const FILE = Buffer.from(Array.from({ length: 4000 }, (_, i) => i % 251))
let made = 0
/** Two nodes that share nothing but the bucket, and an upload that was announced on the first. */
async function twoNodes() {
  const id = `00000000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`
  const folders = [nodeFolder(), nodeFolder()] as const
  const [one, two] = [objectStaging(bucket, folders[0]), objectStaging(bucket, folders[1])]
  await one.files.create(new Upload({ id, size: FILE.length, offset: 0 }))
  return { id, one, two, folders }
}
const bytes = (from: number, to: number) => Readable.from([FILE.subarray(from, to)])
const offsetOn = async ({ files }: { files: { getUpload(id: string): Promise<Upload> } }, id: string) =>
  (await files.getUpload(id)).offset

/** A connection that breaks after some bytes. */
async function* breaksAfter(from: number, to: number) {
  yield FILE.subarray(from, to)
  throw new Error('the connection broke')
}

describe('an upload through several nodes', () => {
  it('is continued by the other node and becomes one file there', async () => {
    const { id, one, two, folders } = await twoNodes()
    expect(await one.files.write(bytes(0, 1500), id, 0)).toBe(1500)
    expect(await offsetOn(two, id)).toBe(1500)
    expect(await two.files.write(bytes(1500, FILE.length), id, 1500)).toBe(FILE.length)
    expect(readFileSync(await one.localFile(id)).equals(FILE)).toBe(true)
    await one.forget(id)
    await expect(two.files.getUpload(id)).rejects.toMatchObject({ status_code: 404 })
    expect(folders.flatMap((folder) => readdirSync(folder))).toEqual([])
  })

  it('keeps what arrived before a connection broke', async () => {
    const { id, one, two } = await twoNodes()
    await expect(one.files.write(Readable.from(breaksAfter(0, 700)), id, 0)).rejects.toMatchObject({ status_code: 500 })
    expect(await offsetOn(two, id)).toBe(700)
  })

  const { runs, seed, timeout } = modelRuns('uploads by two nodes')
  it('is never corrupted by nodes that write to it at once, whatever each of them gets done', { timeout }, async () => {
    const step = record({ node: nat(1), from: nat(3), take: integer({ min: 1, max: 1800 }) })
    await assert(
      asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
        const { id, one, two } = await twoNodes()
        const seen = [0]
        for (const { node, from, take } of steps) {
          // a slow node may still write at an offset that it was given earlier
          const offset = seen.at(-1 - (from % seen.length)) ?? 0
          const end = Math.min(FILE.length, offset + take)
          if (end > offset) await (node === 0 ? one : two).files.write(bytes(offset, end), id, offset)
          seen.push(await offsetOn(one, id))
        }
        const kept = readFileSync(await two.localFile(id))
        expect(kept.equals(FILE.subarray(0, await offsetOn(two, id)))).toBe(true)
        await one.forget(id)
      }),
      { numRuns: runs, seed },
    )
  })

  it('is refused once it came in too many tiny pieces', async () => {
    const { id } = await twoNodes()
    const { files } = objectStaging(bucket, nodeFolder(), 20)
    for (let offset = 0; offset < 20; offset += 1) await files.write(bytes(offset, offset + 1), id, offset)
    await expect(files.write(bytes(20, 21), id, 20)).rejects.toMatchObject({ status_code: 500 })
  })
})

describe('an unfinished upload', () => {
  it('is dated by its last byte, and swept after that', async () => {
    const { id, one } = await twoNodes()
    expect(await one.lastByteAt(id)).toBeUndefined()
    const before = new Date(Date.now() - 60_000)
    await one.files.write(bytes(0, 10), id, 0)
    expect((await one.lastByteAt(id))?.getTime()).toBeGreaterThan(before.getTime())
    await one.sweep(before)
    expect(await offsetOn(one, id)).toBe(10)
    await one.sweep(new Date(Date.now() + 60_000))
    await expect(one.files.getUpload(id)).rejects.toMatchObject({ status_code: 404 })
  })
})
