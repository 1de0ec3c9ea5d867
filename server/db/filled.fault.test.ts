import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLabel } from '#contract/labels.ts'
import { sealAudit } from '../audit/seal.ts'
import { verifyAudit } from '../audit/verify.ts'
import { loadSecret, readSecretKeys } from '../delivery/secrets.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { plainEnvironment } from '../testing/program.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { backup, restore } from './backup.ts'
import { clusterPaths } from './cluster.ts'
import { dump } from './dump.ts'
import { load } from './load.ts'
import { clientConfig, openDatabases, type DatabaseSettings } from './pools.ts'
import { withDatabase } from './withDatabase.ts'
import { asSystem } from './system.ts'
import { tablesInOrder } from './tables.ts'

// An installation with people, channels, files, posts and a sealed audit log moves by dump and load, then by backup and
// restore, then gets new keys. After each step, everything is compared with the beginning.

const NOW = new Date('2026-03-01T10:00:00Z')
const ROOKERY = fileURLToPath(new URL('../../bin/rookery.js', import.meta.url))

let app: TestApp
let home: TestHome
let channelId: string
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rookery-filled-'))
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  home = await app.signedInOwner()
  const content = contentOn(app.parts)
  channelId = await content.channel(home)
  for (let n = 0; n < 8; n++) {
    const assetId = await content.picture(home)
    await postsOn(app, app.database).post(home, channelId, { text: `Grüße ${n}\n\\N\t"`, media: [{ assetId }] })
    await app.call(
      createLabel,
      { params: home.params, body: { labelName: `label ${n}`, color: 'blue' } },
      { as: home.person },
    )
  }
  await sealAudit(app.database.databases.system, app.clock.now())
})

afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Each table's content, as a number of rows and a hash of all of them. */
async function tablesOf(settings: DatabaseSettings): Promise<Record<string, string>> {
  const client = new Client({ ...clientConfig(settings.owner, 'compare'), pipeline: false })
  await client.connect()
  try {
    const found: Record<string, string> = {}
    for (const { name, columns } of await tablesInOrder(client)) {
      const { rows } = await client.query<{ all: string }>(
        `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as all from (select ${columns.join(', ')} from ${name}) t`,
      )
      found[name] = rows[0]?.all ?? ''
    }
    return found
  } finally {
    await client.end()
  }
}

/** Every stored file by its path, as a hash. */
function filesOf(dataDir: string): Record<string, string> {
  const media = join(dataDir, 'media')
  const files = readdirSync(media, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(media, path)).isFile(),
  )
  return Object.fromEntries(
    files.toSorted().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(media, path)))
        .digest('hex'),
    ]),
  )
}

/** The result of verifying the sealed chain, and the channel's token decrypted with this installation's own keys. */
async function sealsOf(settings: DatabaseSettings, dataDir: string) {
  const databases = openDatabases(settings)
  try {
    const keys = readSecretKeys({ dataDir })
    const secret = await asSystem(databases.system, (tx) => loadSecret(tx, keys, { orgId: home.orgId, channelId }))
    return { chain: await verifyAudit(databases.system, new Date(), { orgId: home.orgId }), secret }
  } finally {
    await databases.close()
  }
}

const lookInto = (dataDir: string) =>
  withDatabase({ DATA_DIR: dataDir }, async ({ settings }) => ({
    tables: await tablesOf(settings),
    files: filesOf(dataDir),
    seals: await sealsOf(settings, dataDir),
  }))

it('keeps every row, file, seal and token through load, restore and rotate-keys', async () => {
  const [loaded, restored] = [join(folder, 'loaded'), join(folder, 'restored')]
  const before = {
    tables: await tablesOf(app.database.settings),
    files: filesOf(app.dataDir),
    seals: await sealsOf(app.database.settings, app.dataDir),
  }
  expect(before.tables['post']).toMatch(/^8 rows/)
  expect(Object.keys(before.files).length).toBeGreaterThanOrEqual(8)
  expect(before.seals).toMatchObject({ chain: [{ broken: null, waiting: 0 }] })

  await dump(app.database.settings, app.dataDir, join(folder, 'all.tar.gz'), NOW)
  await withDatabase({ DATA_DIR: loaded }, ({ settings }) => load(settings, loaded, join(folder, 'all.tar.gz')))
  expect(await lookInto(loaded)).toEqual(before)

  await withDatabase({ DATA_DIR: loaded }, (reached) => backup(reached, join(folder, 'backup.tar'), NOW))
  await restore(join(folder, 'backup.tar'), clusterPaths(restored))
  expect(await lookInto(restored)).toEqual(before)

  const oldKeys = readFileSync(join(restored, 'encryption-keys'), 'utf8')
  const { stdout } = await promisify(execFile)(process.execPath, [ROOKERY, 'rotate-keys'], {
    env: { ...plainEnvironment(), DATA_DIR: restored },
  })
  expect(stdout).toContain('channel tokens')
  expect(readFileSync(join(restored, 'encryption-keys'), 'utf8')).not.toBe(oldKeys)
  const after = await lookInto(restored)
  expect({ files: after.files, seals: after.seals }).toEqual({ files: before.files, seals: before.seals })
  // only what is encrypted with the key has different rows now
  const changed = Object.keys(before.tables).filter((name) => before.tables[name] !== after.tables[name])
  expect(changed).toEqual(['channel_secret'])
})
