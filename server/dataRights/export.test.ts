import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkout, invoicePdf, payLocally } from '#contract/billing.ts'
import { readCsv } from '../bulk/csv.ts'
import { beginExport, downloadExport, EXPORT_FAILED, listExports } from '#contract/dataRights.ts'
import { createLabel } from '#contract/labels.ts'
import { updateOrganization } from '#contract/orgSettings.ts'
import { verifyExport } from '../audit/exportedChain.ts'
import { sealAudit } from '../audit/seal.ts'
import { verifyAudit } from '../audit/verify.ts'
import { asSystem } from '../db/system.ts'
import { asTenant } from '../db/tenant.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { unzip } from '../testing/unzip.ts'
import { exportedTables, leftOut } from './exported.ts'
import { dataRightsJobs, sweepExports } from './jobs.ts'
import { writeTables } from './writeTables.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() }, env: { PAYMENTS: 'local' } })
})
afterAll(() => app.close())

const begin = (home: TestHome) =>
  app.call(beginExport, { params: { orgId: home.orgId }, body: {} }, { as: home.person })
const list = async (home: TestHome) =>
  (await app.call(listExports, { params: { orgId: home.orgId } }, { as: home.person })).exports
const download = (home: TestHome, exportId: string) =>
  app.send(downloadExport, { params: { orgId: home.orgId, exportId } }, { as: home.person })
const work = (parts: Partial<TestApp['parts']> = {}) => runJobs(app, dataRightsJobs({ ...app.parts, ...parts }))
const sweep = () =>
  sweepExports(app.parts.exports, {
    databases: app.parts.databases,
    clock: app.clock,
    log: app.parts.log,
    signal: new AbortController().signal,
  })

async function copyOf(home: TestHome) {
  const { exportId } = await begin(home)
  await work()
  const response = await download(home, exportId)
  expect(response.statusCode).toBe(200)
  return { exportId, response, files: unzip(response.rawPayload) }
}
const jsonOf = (files: Map<string, Buffer>, name: string): unknown =>
  JSON.parse(files.get(`data/${name}.json`)?.toString() ?? 'null')

describe('a data export', () => {
  it("fails in the list, without crashing the app, if a file can't be read", async () => {
    const home = await app.signedInOwner()
    await contentOn(app.parts).picture(home)
    await begin(home)
    const unreadable = {
      stream: async () => new Readable({ read: (): void => void 0, construct: (done) => done(new Error('EIO')) }),
    }
    await work({ media: { ...app.parts.media, ...unreadable } })
    expect((await list(home))[0]).toMatchObject({ status: 'failed' })
  })

  it.skipIf(!existsSync('/dev/full'))('rejects when the disk is full', async () => {
    const home = await app.signedInOwner()
    const folder = mkdtempSync(join(app.dataDir, 'full-'))
    // every write to it fails with ENOSPC
    symlinkSync('/dev/full', join(folder, 'audit.csv'))
    const written = asTenant(app.database.databases.web, home.orgId, (tx) =>
      writeTables(tx, home.orgId, folder, async () => undefined),
    )
    await expect(written).rejects.toThrow('ENOSPC')
  })

  it('has every table as JSON and CSV, the people and the files, completely', async () => {
    const home = await app.signedInOwner()
    const content = contentOn(app.parts)
    const channelId = await content.channel(home)
    const assetId = await content.picture(home)
    const postId = await postsOn(app, app.database).post(home, channelId, {
      text: 'Grüße, "du"\nund du',
      media: [{ assetId }],
    })
    await app.call(
      createLabel,
      { params: home.params, body: { labelName: '=1+1', color: 'blue' } },
      { as: home.person },
    )
    const { files, response } = await copyOf(home)
    expect(response.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(response.rawPayload.length),
    })
    expect(jsonOf(files, 'post')).toMatchObject([{ id: postId, contents: [{ text: 'Grüße, "du"\nund du' }] }])
    expect(jsonOf(files, 'people')).toEqual([
      { id: home.person.personId, first_name: 'Olive', last_name: 'Owner', email: home.person.email },
    ])
    expect(jsonOf(files, 'label')).toMatchObject([{ name: '=1+1' }])
    const csv = readCsv(files.get('data/label.csv')?.toString() ?? '')
    expect('records' in csv && csv.records[1]).toContain("'=1+1")
    const { rows } = await app.database.owner.query<{ store_key: string }>(
      'select store_key from asset where id = $1',
      [assetId],
    )
    expect(files.get(`media/${assetId}-picture.jpeg`)).toEqual(
      Buffer.from(await app.parts.media.read(rows[0]?.store_key ?? '')),
    )
    expect(files.get('README.txt')?.toString()).toContain('people')
  })

  it('holds what people wrote to channels, but not where the platform forbids that', async () => {
    const home = await app.signedInOwner()
    for (const platform of ['bluesky', 'linkedin']) {
      const channelId = await contentOn(app.parts).channel(home)
      await app.database.owner.query('update channel set platform = $2 where id = $1', [channelId, platform])
      await received(app, home, { channelId, from: `member of ${platform}`, text: `written on ${platform}` })
    }
    const { files } = await copyOf(home)
    expect(jsonOf(files, 'inbox_item')).toMatchObject([{ text: 'written on bluesky' }])
    const all = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n')
    expect(all).toContain('ember of bluesky')
    for (const words of ['written on linkedin', 'ember of linkedin']) expect(all).not.toContain(words)
  })

  it('has nothing of another organization, and no secret', async () => {
    const home = await app.signedInOwner()
    const other = await app.signedInOwner()
    const content = contentOn(app.parts)
    await content.channel(home)
    await app.call(
      createLabel,
      { params: other.params, body: { labelName: 'Foreign', color: 'blue' } },
      { as: other.person },
    )
    const { files } = await copyOf(home)
    const all = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n')
    expect(all).toContain(home.orgId)
    for (const foreign of [other.orgId, other.person.personId, 'Foreign']) expect(all).not.toContain(foreign)
    const { rows } = await app.database.owner.query<{ token_hash: Buffer; password_hash: string; sealed: Buffer }>(
      'select s.token_hash, p.password_hash, c.sealed from session s join person p on p.id = s.person_id, channel_secret c where p.id = $1 and c.org_id = $2',
      [home.person.personId, home.orgId],
    )
    const [secrets] = rows
    if (!secrets) throw new Error('there are secrets to look for')
    for (const secret of [
      secrets.token_hash.toString('hex'),
      secrets.sealed.toString('hex'),
      secrets.sealed.toString('base64'),
      secrets.password_hash,
    ])
      expect(all).not.toContain(secret)
  })

  it('has invoices as they were issued, and an audit log that can be verified', async () => {
    const home = await app.signedInOwner()
    const params = { orgId: home.orgId }
    const card = {
      cardNumber: '4242 4242 4242 4242',
      expiryMonth: 12,
      expiryYear: 2030,
      securityCode: '123',
      cardholderName: 'Olive Owner',
    }
    const { transactionId } = await app.call(
      checkout,
      { params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0 } },
      { as: home.person },
    )
    await app.call(payLocally, { params: { ...params, transactionId }, body: card }, { as: home.person })
    await sealAudit(app.database.databases.system, app.clock.now())
    const issuedPdf = await app.send(invoicePdf, { params: { ...params, transactionId } }, { as: home.person })
    await app.call(
      updateOrganization,
      { params, body: { orgName: 'Renamed', orgType: 'organization', orgSize: '2-10' } },
      { as: home.person },
    )
    const { files } = await copyOf(home)
    const issued = [...files.keys()].filter((name) => name.startsWith('invoices/'))
    expect(issued).toEqual([expect.stringMatching(/^invoices\/TEST-\d{6}\.pdf$/)])
    expect(files.get(issued[0] ?? '')?.equals(issuedPdf.rawPayload)).toBe(true)

    const path = join(mkdtempSync(join(app.dataDir, 'chain-')), 'audit-chain.jsonl')
    const chain = files.get('data/audit-chain.jsonl')?.toString() ?? ''
    const verify = async (text: string, head?: string) => {
      writeFileSync(path, text)
      return await verifyExport(path, app.clock.now(), head)
    }
    const [inDatabase] = await verifyAudit(app.database.databases.system, app.clock.now(), { orgId: home.orgId })
    const verdict = await verify(chain)
    // what was sealed when the export was made
    expect(verdict).toEqual({ ...inDatabase, waiting: 0 })
    expect(verdict).toMatchObject({ orgId: home.orgId, broken: null, misdated: [] })
    expect(verdict.sealed).toBeGreaterThan(1)
    expect((await verify(chain, verdict.head)).broken).toBeNull()
    expect((await verify(chain, 'ab'.repeat(32))).broken).toMatchObject({ why: 'head unknown' })

    const lines = chain.trimEnd().split('\n')
    expect((await verify(chain.replace('"started"', '"stopped"'))).broken).toMatchObject({ why: 'changed' })
    expect((await verify(lines.toSpliced(1, 1).join('\n'))).broken).toMatchObject({ seq: 1, why: 'missing' })
    expect((await verify(lines.slice(0, -1).join('\n'))).broken).toMatchObject({ why: 'end missing' })
    await expect(verify('{"a": 1}')).rejects.toThrow('Line 1 of')
    await expect(verify('')).rejects.toThrow('is empty')
  })

  it('leaves out the tables that are listed with their reason, and no others; no binary columns', async () => {
    const tables = await asSystem(app.parts.databases.system, (tx) => exportedTables(tx))
    const { rows } = await app.database.owner.query<{ name: string }>(
      "select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant' where not c.relispartition",
    )
    expect(tables.map(({ name }) => name).toSorted()).toEqual(
      rows
        .map(({ name }) => name)
        .filter((name) => !(name in leftOut))
        .toSorted(),
    )
    for (const name of Object.keys(leftOut))
      expect(
        rows.map((row) => row.name),
        `${name} exists`,
      ).toContain(name)
    const columns = tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column}`))
    expect(columns.filter((column) => /secret|token|hash$|sealed|seal$|password|key_id/.test(column))).toEqual([])
  })

  it("is made one at a time, shows its progress, and says when it's ready", async () => {
    const home = await app.signedInOwner()
    const { exportId } = await begin(home)
    await expect(begin(home)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await list(home)).toMatchObject([{ exportId, status: 'waiting', progress: 0, expiresAt: null }])
    expect((await download(home, exportId)).statusCode).toBe(404)
    await work()
    expect(await list(home)).toMatchObject([
      {
        exportId,
        status: 'ready',
        progress: 100,
        expiresAt: new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString(),
      },
    ])
    expect(app.outbox.at(-1)).toMatchObject({ to: home.person.email, subject: 'Your copy of My Workspace is ready' })
    await begin(home)
    await work()
  })

  it('is made at most three times a day, because each contains every file', async () => {
    const home = await app.signedInOwner()
    for (let i = 0; i < 3; i++) {
      await begin(home)
      await work()
    }
    await expect(begin(home)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      problem: {
        detail: 'You can request up to 3 copies a day. Download the latest one, or try again tomorrow.',
        meta: { retryAfterSeconds: 86_400 },
      },
    })
    await app.database.owner.query(
      "update org_export set requested_at = requested_at - interval '1 day' where org_id = $1",
      [home.orgId],
    )
    await begin(home)
    await work()
  })

  it('names a person who left, without their current address', async () => {
    const home = await app.signedInOwner()
    const left = await app.colleague(home, 'user')
    await app.database.owner.query('update member set removed_at = $2 where person_id = $1', [
      left.personId,
      app.clock.now(),
    ])
    await app.database.owner.query("update person set email = 'private@example.org' where id = $1", [left.personId])
    const { files } = await copyOf(home)
    expect(jsonOf(files, 'people')).toContainEqual({
      id: left.personId,
      first_name: 'Cole',
      last_name: 'user',
      email: null,
    })
    expect(files.get('data/people.csv')?.toString()).not.toContain('private@example.org')
  })

  it('starts over after an interruption, and leaves nothing behind', async () => {
    const home = await app.signedInOwner()
    await contentOn(app.parts).picture(home)
    const { exportId } = await begin(home)
    const order = { orgId: home.orgId, exportId }
    const stopping = new AbortController()
    const [job] = dataRightsJobs({
      ...app.parts,
      media: { ...app.parts.media, stream: async (key) => (stopping.abort(), app.parts.media.stream(key)) },
    })
    await expect(
      job?.perform(
        { databases: app.parts.databases, clock: app.clock, log: app.parts.log, signal: stopping.signal },
        order,
      ),
    ).rejects.toThrow(/abort/i)
    expect(await list(home)).toMatchObject([{ status: 'running' }])
    await work()
    expect(await list(home)).toMatchObject([{ status: 'ready' }])
    expect((await app.kept.exports()).filter((name) => name.startsWith(exportId))).toEqual([`${exportId}.zip`])
  })

  it("says if it can't be made, and can be requested again", async () => {
    const home = await app.signedInOwner()
    const { exportId } = await begin(home)
    await app.database.owner.query('update asset set bytes = bytes where false')
    const broken = { ...app.parts.databases, exports: app.parts.databases.system }
    await runJobs({ parts: { ...app.parts, databases: broken }, database: app.database }, dataRightsJobs(app.parts))
    expect(await list(home)).toMatchObject([{ exportId, status: 'failed', problem: EXPORT_FAILED }])
    await begin(home)
    await work()
    expect((await list(home))[0]).toMatchObject({ status: 'ready' })
  })

  it('lists files whose bytes are missing', async () => {
    const home = await app.signedInOwner()
    const assetId = await contentOn(app.parts).picture(home)
    const { rows } = await app.database.owner.query<{ store_key: string }>(
      'select store_key from asset where id = $1',
      [assetId],
    )
    await app.parts.media.delete(rows[0]?.store_key ?? '')
    expect((await copyOf(home)).files.get('media/missing.txt')?.toString()).toContain(assetId)
  })

  it('is recorded in the audit log: who requested it, and each download', async () => {
    const home = await app.signedInOwner()
    const { exportId } = await copyOf(home)
    const other = await app.signedInOwner()
    await download(other, exportId)
    const entries = async () =>
      (
        await app.database.owner.query(
          'select person_id, action, entity, entity_id, detail from audit where org_id = $1 and action in ($2, $3) order by at, id',
          [home.orgId, 'exported', 'downloaded'],
        )
      ).rows
    const common = { person_id: home.person.personId, entity: 'organization', entity_id: home.orgId }
    expect(await entries()).toMatchObject([
      { ...common, action: 'exported' },
      { ...common, action: 'downloaded', detail: { exportId } },
    ])
    await download(home, exportId)
    expect(await entries()).toHaveLength(3)
    // no other site can lead an admin's browser there
    const foreign = await app.send(
      downloadExport,
      { params: { orgId: home.orgId, exportId } },
      { as: home.person, headers: { 'sec-fetch-site': 'cross-site' } },
    )
    expect(foreign.json()).toMatchObject({ code: 'FOREIGN_ORIGIN' })
    expect(await entries()).toHaveLength(3)
  })

  it('is kept for 7 days, and for its own organization', async () => {
    const home = await app.signedInOwner()
    const { exportId } = await copyOf(home)
    const other = await app.signedInOwner()
    expect((await download(other, exportId)).statusCode).toBe(404)
    const editor = await app.colleague(home, 'admin')
    expect(
      (await app.send(downloadExport, { params: { orgId: home.orgId, exportId } }, { as: editor })).statusCode,
    ).toBe(403)
    app.clock.advance({ hours: 7 * 24 })
    expect(await list(home)).toMatchObject([{ status: 'gone' }])
    expect((await download(home, exportId)).statusCode).toBe(404)
    await sweep()
    expect((await app.kept.exports()).filter((name) => name.startsWith(exportId))).toEqual([])
  })
})
