import { spawn, type ChildProcess } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { beginExport, deleteOrganization, downloadExport, listExports } from '#contract/dataRights.ts'
import { createLabel } from '#contract/labels.ts'
import { sealAudit } from '../audit/seal.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { DataRightsOrder } from '../testing/dataRightsWorker.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { seeded } from '../simulators/bluesky/faults.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { unzip } from '../testing/unzip.ts'

/*
 * Workers are killed (SIGKILL) at random statements and files while an organization is deleted or exported. The next
 * one continues; it ends once, nothing is left behind, and no other organization is touched.
 */

const SEED = Math.floor(Math.random() * 2 ** 30)
const KILLS = 5

let app: TestApp
let workers: ChildProcess[]
let random: () => number
beforeEach(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
  workers = []
  random = seeded(SEED)
})
afterEach(async () => {
  for (const worker of workers) if (worker.exitCode === null && worker.signalCode === null) worker.kill('SIGKILL')
  await app.close()
})

/** A worker that dies at its nth step, or never. */
function work(diesAt: number | null): ChildProcess {
  const order: DataRightsOrder = {
    settings: app.database.settings,
    dataDir: app.dataDir,
    now: app.clock.now().getTime(),
    diesAt,
    dies: random() < 0.5 ? 'before' : 'after',
  }
  const worker = spawn(
    process.execPath,
    [fileURLToPath(new URL('../testing/dataRightsWorker.ts', import.meta.url)), JSON.stringify(order)],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  workers.push(worker)
  return worker
}

/** Two channels, images, posts, more rows than one batch, a sealed audit log. */
async function busyHome(): Promise<TestHome> {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  const content = contentOn(app.parts)
  for (let i = 0; i < 2; i++) {
    const channelId = await content.channel(home)
    const media = [{ assetId: await content.picture(home) }, { assetId: await content.picture(home, { type: 'png' }) }]
    await postsOn(app, app.database).post(home, channelId, {
      media,
      schedule: at(new Date(app.clock.now().getTime() + 8 * 86_400_000).toISOString()),
    })
  }
  for (const as of [home.person, editor])
    await app.call(createLabel, { params: home.params, body: { labelName: `Of ${as.email}`, color: 'blue' } }, { as })
  await app.database.owner.query(
    "insert into notice (org_id, id, person_id, dedupe_key, kind, params, created_at, updated_at, in_app) select $1, uuidv7(), $2, 'm' || n, 'trial-ended', '{}', now(), now(), true from generate_series(1, 5200) n",
    [home.orgId, home.person.personId],
  )
  await sealAudit(app.parts.databases.system, app.clock.now())
  return home
}

/** Everything of an organization: its rows as text by table, and its files with their bytes. */
async function everythingOf(orgId: string) {
  const { rows } = await app.database.owner.query<{ name: string }>(
    "select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant' where not c.relispartition order by 1",
  )
  const tables: Record<string, string[]> = {}
  for (const { name } of rows) {
    const found = await app.database.owner.query<{ row: string }>(
      `select t::text as row from ${name} t where org_id = $1 order by 1`,
      [orgId],
    )
    if (found.rows.length > 0) tables[name] = found.rows.map(({ row }) => row)
  }
  const folder = join(app.dataDir, 'media')
  const files = globSync(`${orgId}/*`, { cwd: folder })
    .toSorted()
    .map((name) => [name, readFileSync(join(folder, name)).toString('base64')])
  return { tables, files }
}

const enqueue = (name: string) =>
  app.database.owner.query('select graphile_worker.add_job($1, $2::json, job_key := $1)', [name, '{}'])
const waiting = async (name: string) =>
  (await app.database.owner.query('select from graphile_worker.jobs where task_identifier = $1', [name])).rowCount ?? 0

describe('killed at random moments', () => {
  it('deletes an organization completely and once: no row, file, sign-in or pause is left, and others keep everything', async () => {
    const home = await busyHome()
    const other = await busyHome()
    const untouched = await everythingOf(other.orgId)
    await app.call(deleteOrganization, { params: { orgId: home.orgId } }, { as: home.person })
    app.clock.advance({ hours: 7 * 24 + 1 })
    const isGone = async () =>
      (await app.database.owner.query('select from organization where org_id = $1', [home.orgId])).rowCount === 0

    // as the clock would, every ten minutes
    const again = async () =>
      (await isGone()) || (await waiting('dataRights.purge')) > 0 ? undefined : await enqueue('dataRights.purge')
    let kills = 0
    for (let round = 0; round < KILLS && !(await isGone()); round++) {
      const worker = work(1 + Math.floor(random() * 40))
      await until(async () => (await again(), worker.signalCode === 'SIGKILL' || (await isGone())), {
        deadline: 60_000,
        what: `round ${round}, seed ${SEED}`,
      })
      if (worker.signalCode === 'SIGKILL') kills += 1
      else worker.kill('SIGKILL')
    }
    expect(kills, `seed ${SEED}`).toBeGreaterThan(0)
    work(null)
    await until(async () => (await again(), await isGone()), { deadline: 90_000, what: 'the end' })
    await until(async () => (await waiting('dataRights.tell')) === 0, { deadline: 60_000, what: 'the mails' })

    expect(await everythingOf(home.orgId)).toEqual({ tables: {}, files: [] })
    expect((await app.database.owner.query('select from kill_switch where name = $1', [home.orgId])).rowCount).toBe(0)
    const said = readdirSync(join(app.dataDir, 'outbox'))
      .filter((name) => name.endsWith(`-to-${home.person.email}.eml`))
      .map((name) => readFileSync(join(app.dataDir, 'outbox', name), 'utf8'))
    expect(said.filter((mail) => /^Subject: My Workspace was deleted/m.test(mail))).toHaveLength(1)
    // each of the two sign-ins was revoked at the platform; asking twice does no harm
    expect(readFileSync(join(app.dataDir, 'revoked'), 'utf8').split('\n').length - 1).toBeGreaterThanOrEqual(2)
    expect(await everythingOf(other.orgId)).toEqual(untouched)
  }, 240_000)

  it('starts an export over and finishes it once, complete, with nothing incomplete next to it', async () => {
    const home = await busyHome()
    const other = await busyHome()
    const untouched = await everythingOf(other.orgId)
    const { exportId } = await app.call(beginExport, { params: { orgId: home.orgId }, body: {} }, { as: home.person })
    const status = async () =>
      (await app.call(listExports, { params: { orgId: home.orgId } }, { as: home.person })).exports.map(
        (one) => one.status,
      )

    let kills = 0
    for (let round = 0; round < KILLS && !(await status()).includes('ready'); round++) {
      const worker = work(1 + Math.floor(random() * 120))
      await until(async () => worker.signalCode === 'SIGKILL' || (await status()).includes('ready'), {
        deadline: 60_000,
        what: `round ${round}, seed ${SEED}`,
      })
      if (worker.signalCode === 'SIGKILL') kills += 1
      else worker.kill('SIGKILL')
    }
    expect(kills, `seed ${SEED}`).toBeGreaterThan(0)
    work(null)
    await until(async () => (await status()).includes('ready'), { deadline: 90_000, what: 'the copy' })
    await until(async () => (await waiting('dataRights.export')) === 0, {
      deadline: 60_000,
      what: 'the job to be done',
    })

    expect(await status()).toEqual(['ready'])
    expect(readdirSync(join(app.dataDir, 'exports'))).toEqual([`${exportId}.zip`])
    const response = await app.send(downloadExport, { params: { orgId: home.orgId, exportId } }, { as: home.person })
    const files = unzip(response.rawPayload)
    const labels: unknown = JSON.parse(files.get('data/label.json')?.toString() ?? 'null')
    expect(labels).toHaveLength(2)
    expect([...files.keys()].filter((name) => name.startsWith('media/'))).toHaveLength(4)
    for (const [name, bytes] of files)
      if (name.startsWith('media/')) expect(storedBytes(home.orgId, name.slice(6, 42))).toEqual(bytes)
    expect([...files.values()].some((bytes) => bytes.includes(other.orgId))).toBe(false)
    expect(await everythingOf(other.orgId)).toEqual(untouched)
  }, 240_000)
})

/** The bytes of a file in the store. */
const storedBytes = (orgId: string, assetId: string): Buffer => readFileSync(join(app.dataDir, 'media', orgId, assetId))
