import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openBucket, type Bucket } from '../objectStore/bucket.ts'
import { startObjectServer } from '../testing/objectStore.ts'
import { objectExports } from '../dataRights/files.ts'
import { diskStore } from './diskStore.ts'
import { moveFiles } from './moveFiles.ts'
import { objectMedia } from './objectMedia.ts'

const ORG = '01a20463-769a-7181-a653-5bf9613d729a'
const keys = ['01a20463-76a1-73e2-892b-9e62096a80fa', '01a20463-76a1-73e2-892b-9e62096a80fb'].map(
  (id) => `${ORG}/${id}`,
)
let server: Awaited<ReturnType<typeof startObjectServer>>
let bucket: Bucket
let dataDir: string
beforeAll(async () => {
  server = await startObjectServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'rookery-test-move-'))
  bucket = await openBucket({ ...server.settings, prefix: `${dataDir.slice(-6)}/` })
  const disk = diskStore(join(dataDir, 'media'))
  for (const key of keys) await disk.put(key, Buffer.from(`the bytes of ${key}`))
  mkdirSync(join(dataDir, 'exports'))
  writeFileSync(join(dataDir, 'exports', 'copy-1.zip'), 'a copy')
  mkdirSync(join(dataDir, 'media', 'uploads'))
  writeFileSync(join(dataDir, 'media', 'uploads', 'half'), 'unfinished')
})

it('moves files and exports to where the product looks for them, and leaves unfinished uploads', async () => {
  expect(await moveFiles(dataDir, bucket)).toMatchObject({ copied: 3, already: 0 })
  for (const key of keys)
    expect(Buffer.from(await objectMedia(bucket).read(key)).toString()).toBe(`the bytes of ${key}`)
  expect(await objectExports(bucket, dataDir).open('copy-1')).toMatchObject({ length: 6 })
  const all: string[] = []
  for await (const { key } of bucket.list('')) all.push(key)
  expect(all).toHaveLength(3)
})

it('continues an interrupted run, and only copies what is new', async () => {
  let files = 0
  const stopAtOne = () => {
    if ((files += 1) === 1) throw new Error('killed')
  }
  await expect(moveFiles(dataDir, bucket, { onFile: stopAtOne })).rejects.toThrow('killed')
  expect(await moveFiles(dataDir, bucket)).toMatchObject({ copied: 2, already: 1 })
  expect(await moveFiles(dataDir, bucket)).toMatchObject({ copied: 0, already: 3 })
})

it('copies a file again if its object was changed or never compared', async () => {
  await moveFiles(dataDir, bucket)
  await bucket.put(`media/${keys[0]}`, Buffer.from('something else'))
  expect(await moveFiles(dataDir, bucket)).toMatchObject({ copied: 1, already: 2 })
})

it('names the file that came back different, and deletes nothing then', async () => {
  const lying: Bucket = {
    ...bucket,
    open: async () => await bucket.open('media/wrong'),
  }
  await bucket.put('media/wrong', Buffer.from('not these bytes'))
  await expect(moveFiles(dataDir, lying, { removeLocal: true })).rejects.toThrow(/doesn't match its copy/)
  // it was never compared, so it's copied again although its size and note are right
  expect(await moveFiles(dataDir, bucket)).toMatchObject({ copied: 3 })
  expect(existsSync(join(dataDir, 'media', keys[0] ?? ''))).toBe(true)
})

it('deletes local files only when asked to, after comparing them', async () => {
  await moveFiles(dataDir, bucket)
  expect(existsSync(join(dataDir, 'media', keys[0] ?? ''))).toBe(true)
  await moveFiles(dataDir, bucket, { removeLocal: true })
  expect(existsSync(join(dataDir, 'media', keys[0] ?? ''))).toBe(false)
  expect(existsSync(join(dataDir, 'media', 'uploads', 'half'))).toBe(true)
})
