import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBucket, type Bucket } from '../objectStore/bucket.ts'
import { startObjectServer } from '../testing/objectStore.ts'
import { backupToBucket, bucketBackupName, restoreFromBucket } from './bucketBackup.ts'
import { clusterPaths } from './cluster.ts'
import { startDatabase, type RunningDatabase } from './database.ts'
import { openDatabases } from './pools.ts'
import { withDatabase } from './withDatabase.ts'

/* Backups that go to an S3-compatible service and come back from it. */

const NOW = new Date('2026-03-02T10:00:00Z')

let folder: string
let running: RunningDatabase
let server: Awaited<ReturnType<typeof startObjectServer>>
let bucket: Bucket

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-bucket-backup-test-'))
  running = await startDatabase({ dataDir: join(folder, 'data') })
  mkdirSync(join(folder, 'data', 'media'))
  writeFileSync(join(folder, 'data', 'media', 'one.jpg'), 'picture')
  server = await startObjectServer()
  bucket = await openBucket({ ...server.settings, prefix: 'rookery/' })
})
afterAll(async () => {
  bucket.close()
  await running.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const write = (to: Bucket, name: string) =>
  withDatabase({ DATA_DIR: join(folder, 'data') }, (reached) => backupToBucket(reached, to, name, NOW))
const keys = async () => {
  const found: string[] = []
  for await (const { key } of bucket.list('backups/')) found.push(key)
  return found
}

describe('a backup in the object store', () => {
  it('restores to the database and files that it was made of', async () => {
    const databases = openDatabases(running.settings)
    await databases.system.query("insert into human_solution (solution_hash, expires_at) values ('monday', now())")
    await databases.close()
    expect(await write(bucket, 'monday')).toMatchObject({ takenAt: NOW.toISOString() })
    expect(await keys()).toEqual(['backups/monday.json', 'backups/monday.tar.gz'])

    const dataDir = join(folder, 'restored')
    expect(await restoreFromBucket(bucket, 'monday', clusterPaths(dataDir))).toMatchObject({
      takenAt: NOW.toISOString(),
    })
    expect(readFileSync(join(dataDir, 'media', 'one.jpg'), 'utf8')).toBe('picture')
    const restored = await startDatabase({ dataDir })
    const copies = openDatabases(restored.settings)
    try {
      const { rows } = await copies.system.query(
        "select convert_from(solution_hash, 'utf8') as text from human_solution",
      )
      expect(rows).toEqual([{ text: 'monday' }])
    } finally {
      await copies.close()
      await restored.stop()
    }
    await expect(restoreFromBucket(bucket, 'monday', clusterPaths(dataDir))).rejects.toThrow(
      'already contains a database',
    )
  })

  it('refuses an existing name, and lists the available backups', async () => {
    await expect(write(bucket, 'monday')).rejects.toThrow('already has a backup "monday"')
    const nowhere = clusterPaths(join(folder, 'nowhere'))
    await expect(restoreFromBucket(bucket, 'tuesday', nowhere)).rejects.toThrow(
      'doesn\'t have a complete backup "tuesday". It has: monday',
    )
    expect(bucketBackupName('s3:monday')).toBe('monday')
    expect(bucketBackupName('/backups/monday.tar.gz')).toBeUndefined()
    for (const name of ['s3:', 's3:../media', 's3:a/b', 's3:-x'])
      expect(() => bucketBackupName(name)).toThrow("can't name a backup")
  })

  it('is refused if a byte of it changed, or its end is missing', async () => {
    const whole = Buffer.from(await bucket.read('backups/monday.tar.gz'))
    const seal = await bucket.read('backups/monday.json')
    const target = join(folder, 'from-damaged')
    for (const [name, bytes] of [
      ['changed', Buffer.concat([whole.subarray(0, 9), Buffer.from([(whole[9] ?? 0) ^ 1]), whole.subarray(10)])],
      ['short', whole.subarray(0, whole.length - 1000)],
    ] as const) {
      await bucket.put(`backups/${name}.tar.gz`, bytes)
      await bucket.put(`backups/${name}.json`, seal)
      await expect(restoreFromBucket(bucket, name, clusterPaths(target))).rejects.toThrow(
        /its checksum differs|is damaged/,
      )
    }
    expect(existsSync(clusterPaths(target).data)).toBe(false)
  })

  it("leaves nothing when it's interrupted, and says why", async () => {
    const before = await keys()
    const failing: Bucket = {
      ...bucket,
      upload: async (_, from) => {
        if (typeof from === 'string') throw new Error('a stream is expected')
        for await (const chunk of from) throw new Error(`the service refused after ${String(chunk).length > 0}`)
      },
    }
    await expect(write(failing, 'broken')).rejects.toThrow('the service refused')
    const shortened: Bucket = {
      ...bucket,
      find: async (key) => (key.includes('short2') ? undefined : bucket.find(key)),
    }
    await expect(write(shortened, 'short2')).rejects.toThrow(/kept 0 of \d+ bytes/)
    expect(await keys()).toEqual(before)
  })
})
