import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { backup, restore } from './backup.ts'
import { clusterPaths } from './cluster.ts'
import { startDatabase, type RunningDatabase } from './database.ts'
import { openDatabases } from './pools.ts'
import { withDatabase } from './withDatabase.ts'
import { detectRestore, markAlive, releaseRestore } from './restored.ts'
import { asSystem } from './system.ts'

const STARTED = new Date('2026-03-01T10:00:00Z')
const BEFORE = new Date('2026-03-01T11:00:00Z')
const LATER = new Date('2026-03-02T10:00:00Z')

let folder: string
let running: RunningDatabase

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-backup-test-'))
  running = await startDatabase({ dataDir: join(folder, 'data') })
})

afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('restores a backup taken during writes to what was committed, with the files, and the restore is detected', async () => {
  const dataDir = join(folder, 'data')
  const databases = openDatabases(running.settings)
  mkdirSync(join(dataDir, 'media'))
  writeFileSync(join(dataDir, 'media', 'one.jpg'), 'picture')
  expect(await detectRestore(databases.system, STARTED)).toEqual({ restored: false })
  await markAlive(databases.system, BEFORE)

  let written = 0
  const stop = new AbortController()
  const write = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const key = Buffer.from(String(written + 1))
      await asSystem(databases.system, (tx) =>
        tx.insertInto('human_solution').values({ solution_hash: key, expires_at: STARTED }).execute(),
      )
      written += 1
    }
  }
  const writer = write()
  const atLeast = written
  await withDatabase({ DATA_DIR: dataDir }, (reached) => backup(reached, join(folder, 'all.tar.gz'), LATER))
  const atMost = written + 1
  stop.abort()
  await writer
  await markAlive(databases.system, LATER)
  expect(await detectRestore(databases.system, LATER)).toEqual({ restored: false })
  await databases.close()

  await restore(join(folder, 'all.tar.gz'), clusterPaths(join(folder, 'restored')))
  const restored = await startDatabase({ dataDir: join(folder, 'restored') })
  const copies = openDatabases(restored.settings)
  try {
    const { rows } = await copies.system.query<{ n: number; highest: number }>(
      "select count(*) as n, coalesce(max(convert_from(solution_hash, 'utf8')::int), 0) as highest from human_solution",
    )
    // no gap: exactly the first n of them
    expect(rows[0]?.highest).toBe(rows[0]?.n)
    expect(rows[0]?.n).toBeGreaterThanOrEqual(atLeast)
    expect(rows[0]?.n).toBeLessThanOrEqual(atMost)
    expect(readFileSync(join(folder, 'restored', 'media', 'one.jpg'), 'utf8')).toBe('picture')
    expect(await detectRestore(copies.system, LATER)).toEqual({ restored: true, since: BEFORE })
    expect(await detectRestore(copies.system, LATER)).toEqual({ restored: true, since: BEFORE })
    await releaseRestore(copies.system)
    expect(await detectRestore(copies.system, LATER)).toEqual({ restored: false })
  } finally {
    await copies.close()
    await restored.stop()
  }
})

it('refuses to restore over a database, and to accept an incomplete backup', async () => {
  await expect(restore(join(folder, 'all.tar.gz'), clusterPaths(join(folder, 'data')))).rejects.toThrow(
    'already contains a database',
  )
  await expect(restore(folder, clusterPaths(join(folder, 'nothing')))).rejects.toThrow(
    "doesn't contain a complete backup",
  )
})
