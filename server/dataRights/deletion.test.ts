import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import { createLabel } from '#contract/labels.ts'
import { createProject, home as homeCall } from '#contract/organizations.ts'
import { listProjects, organization } from '#contract/orgSettings.ts'
import { listAudit } from '#contract/audit.ts'
import { sealAudit } from '../audit/seal.ts'
import { contextOf } from '../bulk/actor.ts'
import { channelJobs } from '../channels/jobs.ts'
import { asTenant } from '../db/tenant.ts'
import { pausePublishing, activeKillSwitches, resumePublishing } from '../delivery/killSwitch.ts'
import { asSystem } from '../db/system.ts'
import { bioPagesOn } from '../testing/bioPages.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { purgeOrganizations, type PurgeDeps } from './purge.ts'
import { deletionMailJob } from './notify.ts'

let app: TestApp
const revoked: unknown[] = []
beforeAll(async () => {
  app = await startApp({
    platforms: { bluesky: testPlatform({ revoke: async (...call) => (revoked.push(call[1]), { kind: 'revoked' }) }) },
  })
})
afterAll(() => app.close())
// what the previous test left to be deleted isn't this one's
beforeEach(() => app.database.owner.query('update organization set deletes_at = null'))

const remove = (home: TestHome, as: TestPerson = home.person) =>
  app.call(deleteOrganization, { params: { orgId: home.orgId } }, { as })
const keep = (home: TestHome, as: TestPerson = home.person) =>
  app.call(keepOrganization, { params: { orgId: home.orgId }, body: {} }, { as })
const enters = (home: TestHome, as: TestPerson) =>
  app.call(
    createLabel,
    { params: home.params, body: { labelName: `L${app.outbox.length}${Math.random()}`, color: 'blue' } },
    { as },
  )
const holds = async (orgId: string) =>
  (await activeKillSwitches(app.parts.databases.system))
    .filter(({ name }) => name === orgId)
    .map(({ reason }) => reason)
const mailsTo = async (person: TestPerson) => {
  await runJobs(app, [deletionMailJob(app.parts)])
  return app.outbox.filter(({ to }) => to === person.email).map(({ subject }) => subject)
}

const context = () => ({
  databases: app.parts.databases,
  clock: app.clock,
  log: app.parts.log,
  signal: new AbortController().signal,
})
const purgeParts = (): PurgeDeps => ({
  media: app.parts.media,
  payments: app.parts.payments,
  exports: app.parts.exports,
})
const purge = (deps: Partial<PurgeDeps> = {}) => purgeOrganizations({ ...purgeParts(), ...deps }, context())
const work = () => runJobs(app, channelJobs(app.parts))

/** How many rows of the organization are left, by table. */
async function rowsOf(orgId: string): Promise<Record<string, number>> {
  const { rows } = await app.database.owner.query<{ name: string }>(
    "select c.relname as name from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'tenant' where not c.relispartition order by 1",
  )
  const counted: Record<string, number> = {}
  for (const { name } of rows) {
    const { rowCount } = await app.database.owner.query(`select from ${name} where org_id = $1`, [orgId])
    if (rowCount) counted[name] = rowCount
  }
  return counted
}

/** An organization with data: a channel, a scheduled post with an image, labels, audit entries. */
async function busyHome() {
  const home = await app.signedInOwner()
  const content = contentOn(app.parts)
  const channelId = await content.channel(home)
  const assetId = await content.picture(home)
  const postId = await postsOn(app, app.database).post(home, channelId, {
    media: [{ assetId }],
    schedule: at(new Date(app.clock.now().getTime() + 8 * 86_400_000).toISOString()),
  })
  await enters(home, home.person)
  await sealAudit(app.parts.databases.system, app.clock.now())
  return { ...home, channelId, assetId, postId }
}

describe('deleting an organization', () => {
  it('stops everything immediately: publishing is paused, members are locked out, admins get in and are notified', async () => {
    const home = await busyHome()
    const editor = await app.colleague(home, 'editor')
    await enters(home, editor)
    const { deletesAt, message } = await remove(home)
    expect(message).toBe('Organization deleted successfully')
    expect(deletesAt).toBe(new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString())
    expect(await holds(home.orgId)).toEqual(['The organization is being deleted.'])
    await expect(enters(home, editor)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await enters(home, home.person)
    expect(await app.call(organization, { params: { orgId: home.orgId } }, { as: home.person })).toMatchObject({
      deletesAt,
    })
    // part of the commit: a process that dies now loses no email
    expect(app.outbox.filter(({ to }) => to === home.person.email)).toEqual([])
    expect(await mailsTo(home.person)).toEqual(['My Workspace will be deleted'])
    expect(await mailsTo(editor)).toEqual([])
    expect(
      (
        await app.call(
          listAudit,
          { params: { orgId: home.orgId }, query: { entityType: 'organization' } },
          { as: home.person },
        )
      ).audits,
    ).toMatchObject([{ action: 'deleted', entityName: 'My Workspace' }])
  })

  it("lets none of a member's jobs continue", async () => {
    const home = await busyHome()
    const editor = await app.colleague(home, 'editor')
    const context = (person: TestPerson) =>
      asTenant(
        app.parts.databases.background,
        home.orgId,
        async (tx) =>
          (
            await contextOf(
              tx,
              { orgId: home.orgId, projectId: home.projectId, personId: person.personId },
              'created',
              app.clock.now(),
            )
          ).org.orgId,
      )
    expect(await context(editor)).toBe(home.orgId)
    await remove(home)
    await expect(context(editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await context(home.person)).toBe(home.orgId)
  })

  it('leads nobody back into it: members no longer see it, and an admin is led to another organization', async () => {
    const home = await app.signedInOwner()
    const editor = await app.colleague(home, 'editor')
    const elsewhere = await app.organization(home.person, 'Second')
    await app.project(elsewhere, home.person)
    await remove(home)
    const deletesAt = new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString()
    // they're told why
    expect(await app.call(homeCall, {}, { as: editor })).toMatchObject({
      organizations: [],
      shut: [{ orgName: 'My Workspace', deletesAt }],
      onboarding: { step: 'addOrganization' },
    })
    const own = await app.call(homeCall, {}, { as: home.person })
    expect(own.organizations.map(({ orgId, deletesAt: ends }) => [orgId, ends])).toEqual([
      [elsewhere, null],
      [home.orgId, deletesAt],
    ])
    expect(own).toMatchObject({ shut: [], lastProject: { orgId: elsewhere } })
  })

  it('lets an admin whose only organization it was create another one, or keep it', async () => {
    const home = await app.signedInOwner()
    await remove(home)
    // the last place is where they were, as when they open it once more
    await app.database.owner.query('update person set last_org_id = $1, last_project_id = $2 where id = $3', [
      home.orgId,
      home.projectId,
      home.person.personId,
    ])
    expect(await app.call(homeCall, {}, { as: home.person })).toMatchObject({
      organizations: [{ orgId: home.orgId, projects: [{ projectId: home.projectId }] }],
      onboarding: { step: 'addOrganization' },
      lastProject: null,
    })
    const second = await app.organization(home.person, 'Second')
    expect((await app.call(homeCall, {}, { as: home.person })).onboarding).toMatchObject({
      step: 'setupProject',
      orgId: second,
    })
    await keep(home)
    expect((await app.call(homeCall, {}, { as: home.person })).lastProject?.orgId).toBe(home.orgId)
  })

  it("needs the organization's name and an admin", async () => {
    const home = await app.signedInOwner()
    const editor = await app.colleague(home, 'admin')
    await expect(remove(home, editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(await holds(home.orgId)).toEqual([])
    const response = await app.send(deleteOrganization, { params: { orgId: home.orgId } }, { as: home.person })
    expect(response.statusCode).toBe(200)
    expect(await holds(home.orgId)).toHaveLength(1)
  })

  it('requested twice, ends as first planned, and sends one email', async () => {
    const home = await app.signedInOwner()
    const { deletesAt } = await remove(home)
    app.clock.advance({ hours: 5 })
    expect((await remove(home)).deletesAt).toBe(deletesAt)
    expect(await mailsTo(home.person)).toHaveLength(1)
  })

  it('can be canceled by any admin for 7 days, restoring everything', async () => {
    const home = await busyHome()
    const editor = await app.colleague(home, 'editor')
    await remove(home)
    app.clock.advance({ hours: 7 * 24 - 1 })
    expect(await purge()).toEqual([])
    await keep(home)
    await enters(home, editor)
    expect(await holds(home.orgId)).toEqual([])
    expect(await mailsTo(home.person)).toEqual(['My Workspace will be deleted', "My Workspace won't be deleted"])
    app.clock.advance({ hours: 48 })
    expect(await purge()).toEqual([])
    expect((await app.database.owner.query('select state from post where id = $1', [home.postId])).rows).toEqual([
      { state: 'SCHEDULED' },
    ])
  })

  it("leaves an operator's own pause alone", async () => {
    const home = await app.signedInOwner()
    await asSystem(app.parts.databases.system, (tx) =>
      pausePublishing(tx, { scope: 'organization', name: home.orgId, reason: 'Spam', since: app.clock.now() }),
    )
    await remove(home)
    await keep(home)
    expect(await holds(home.orgId)).toEqual(['Spam'])
    await resumePublishing(app.parts.databases.system, 'organization', home.orgId)
  })
})

describe('after 7 days', () => {
  it('leaves nothing: no row, no file, no sign-in at a platform; other organizations keep everything', async () => {
    const home = await busyHome()
    const other = await busyHome()
    const before = await rowsOf(other.orgId)
    const { rows } = await app.database.owner.query<{ store_key: string }>(
      'select store_key from asset where id = $1',
      [home.assetId],
    )
    const key = rows[0]?.store_key ?? ''
    const elsewhere = await figuresOn(app.database).elsewhere(home, home.channelId, '2026-11-20T10:00:00Z')
    const copy = `${home.orgId}/${elsewhere}`
    await app.parts.media.put(copy, Buffer.from('picture'))
    const pages = bioPagesOn(app.database)
    await pages.item(await pages.page(home), { postId: elsewhere, pictureKey: copy })
    await remove(home)
    await app.database.owner.query('update person set last_org_id = $1, last_project_id = $2 where id = $3', [
      home.orgId,
      home.projectId,
      home.person.personId,
    ])
    app.clock.advance({ hours: 7 * 24 })
    revoked.length = 0
    // the channels' own jobs come first
    expect(await purge()).toEqual([])
    await expect(keep(home)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await work()
    expect(revoked).toEqual([{ token: 'a token of the tests' }])
    expect(await purge()).toEqual([home.orgId])
    expect(await rowsOf(home.orgId)).toEqual({})
    for (const gone of [key, copy]) await expect(app.parts.media.read(gone)).rejects.toThrow(/ENOENT|no such/i)
    expect(await holds(home.orgId)).toEqual([])
    expect(
      (
        await app.database.owner.query('select last_org_id, last_project_id from person where id = $1', [
          home.person.personId,
        ])
      ).rows,
    ).toEqual([{ last_org_id: null, last_project_id: null }])
    expect(await mailsTo(home.person)).toEqual(['My Workspace will be deleted', 'My Workspace was deleted'])
    expect(await rowsOf(other.orgId)).toEqual(before)
    expect(await purge()).toEqual([])
    await expect(app.call(listProjects, { params: { orgId: home.orgId } }, { as: home.person })).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
    // the person still exists, and starts over
    expect((await app.call(homeCall, {}, { as: home.person })).onboarding.step).toBe('addOrganization')
  })

  it('continues after an error', async () => {
    const home = await busyHome()
    await contentOn(app.parts).picture(home)
    await remove(home)
    app.clock.advance({ hours: 7 * 24 })
    await purge()
    await work()
    let deletions = 0
    const breaking = {
      ...app.parts.media,
      delete: async (key: string) =>
        (deletions += 1) === 2 ? Promise.reject(new Error('the disk is away')) : app.parts.media.delete(key),
    }
    expect(await purge({ media: breaking })).toEqual([])
    expect((await rowsOf(home.orgId))['asset']).toBe(2)
    expect(await purge()).toEqual([home.orgId])
    expect(await rowsOf(home.orgId)).toEqual({})
  })

  it('continues after being killed between any two of its statements', async () => {
    const home = await busyHome()
    await app.call(
      createProject,
      { params: { orgId: home.orgId }, body: { projectName: 'Second' } },
      { as: home.person },
    )
    await remove(home)
    app.clock.advance({ hours: 7 * 24 })
    await purge()
    await work()
    // each round dies one transaction later than the previous one
    let rounds = 0
    for (let after = 1; ; after++) {
      const dying = dyingAfter(after)
      const done = await purgeOrganizations(purgeParts(), { ...context(), databases: dying })
      rounds = after
      if (done.length > 0) break
    }
    expect(rounds).toBeGreaterThan(10)
    expect(await rowsOf(home.orgId)).toEqual({})
    expect((await mailsTo(home.person)).filter((subject) => subject === 'My Workspace was deleted')).toHaveLength(1)
  })

  it("waits no longer than a day for a platform that doesn't respond", async () => {
    const home = await busyHome()
    await remove(home)
    app.clock.advance({ hours: 7 * 24 })
    expect(await purge()).toEqual([])
    app.clock.advance({ hours: 25 })
    expect(await purge()).toEqual([home.orgId])
    expect(await rowsOf(home.orgId)).toEqual({})
  })
})

/** Pools whose system role provides this many connections and then none, as for a killed process. */
function dyingAfter(connections: number) {
  let left = connections
  const system = new Proxy(app.parts.databases.system, {
    get(pool, name) {
      const value: unknown = Reflect.get(pool, name)
      if (typeof value !== 'function') return value
      if (name !== 'connect') return value.bind(pool) as unknown
      return async () => {
        left -= 1
        if (left < 0) throw new Error('killed')
        return await pool.connect()
      }
    },
  })
  return { ...app.parts.databases, system }
}
