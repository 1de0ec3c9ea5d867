import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAudit } from '#contract/audit.ts'
import { deleteAccount, deleteOrganization } from '#contract/dataRights.ts'
import { login, userDetails } from '#contract/identity.ts'
import { acceptInvite, inviteUsers, listInvites, readInvite } from '#contract/invites.ts'
import { createLabel } from '#contract/labels.ts'
import { appointAdmin } from '#contract/members.ts'
import { runReportSchedule } from '#contract/reports/schedules.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { runJobs } from '../testing/runJobs.ts'
import { scheduleWorkOn, schedulesOn, testMakers } from '../testing/schedules.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { deletionMailJob } from './notify.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const leave = (as: TestPerson, body: { email?: string; password?: string } = {}) =>
  app.call(deleteAccount, { body: { email: as.email, password: as.password, ...body } }, { as })
const appoint = (home: TestHome, who: TestPerson) =>
  app.call(
    appointAdmin,
    { params: { orgId: home.orgId, userId: who.personId }, body: { isOrgAdmin: true } },
    { as: home.person },
  )

/** Tables with a row that contains the address, in any column. */
async function naming(email: string): Promise<string[]> {
  const { rows: tables } = await app.database.owner.query<{ name: string }>(
    "select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition",
  )
  const named: string[] = []
  for (const { name } of tables)
    if ((await app.database.owner.query(`select from ${name} t where t::text like '%' || $1 || '%'`, [email])).rowCount)
      named.push(name)
  return named
}

describe("deleting one's account", () => {
  it("removes the name and every way to log in; the person's work stays, and the audit log says that someone did it", async () => {
    const home = await app.signedInOwner()
    const cole = await app.colleague(home, 'editor')
    const other = await app.anotherBrowser(cole)
    const { labelId } = await app.call(
      createLabel,
      { params: home.params, body: { labelName: 'Stays', color: 'blue' } },
      { as: cole, remoteAddress: '192.0.2.9' },
    )
    expect(await leave(cole)).toEqual({ message: 'Your account was deleted' })
    expect(cole.cookies.size).toBe(0)
    await expect(app.call(userDetails, {}, { as: other })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(app.call(login, { body: { email: cole.email, password: cole.password } })).rejects.toMatchObject({
      status: 401,
    })
    const { rows } = await app.database.owner.query('select first_name, last_name, email from person where id = $1', [
      cole.personId,
    ])
    expect(rows).toEqual([
      { first_name: 'Deleted', last_name: 'account', email: expect.stringMatching(/^[0-9a-f]{48}@deleted\.invalid$/) },
    ])
    expect((await app.database.owner.query('select from label where id = $1', [labelId])).rowCount).toBe(1)
    const { audits } = await app.call(listAudit, { params: { orgId: home.orgId } }, { as: home.person })
    expect(audits.map(({ action, entityType, user }) => [action, entityType, user?.firstName, user?.lastName])).toEqual(
      [
        ['left', 'member', 'Deleted', 'account'],
        ['created', 'label', 'Deleted', 'account'],
      ],
    )
    // clients' addresses are personal data, too
    expect(
      (
        await app.database.owner.query("select from audit_client where org_id = $1 and address = '192.0.2.9'", [
          home.orgId,
        ])
      ).rowCount,
    ).toBe(0)
    await runJobs(app, [deletionMailJob(app.parts)])
    expect(app.outbox.at(-1)).toMatchObject({ to: cole.email, subject: 'Your Rookery account was deleted' })
  })

  it('leaves no row with the address, including in accepted and unanswered invitations', async () => {
    const [home, elsewhere] = [await app.signedInOwner(), await app.signedInOwner()]
    const ana = await app.person()
    const invite = async (to: TestHome) =>
      (
        await app.call(
          inviteUsers,
          { params: to.params, body: { invites: [{ email: ana.email, role: 'user' }] } },
          { as: to.person },
        )
      ).inviteIds[0] ?? ''
    const inviteId = await invite(home)
    const open = await invite(elsewhere)
    await app.call(acceptInvite, { params: { inviteId } }, { as: ana })
    await leave(ana)
    expect(await naming(ana.email)).toEqual([])
    const entries = async (of: TestHome) =>
      (
        await app.call(listAudit, { params: { orgId: of.orgId }, query: { entityType: 'invite' } }, { as: of.person })
      ).audits.map(({ action, entityName }) => [action, entityName])
    expect(await entries(home)).toEqual([
      ['accepted', 'Deleted account'],
      ['invited', 'Deleted account'],
    ])
    // nobody has a seat for it
    expect((await app.call(listInvites, { params: elsewhere.params }, { as: elsewhere.person })).invites).toEqual([])
    expect(await app.call(readInvite, { params: { inviteId: open } }, {})).toMatchObject({
      state: 'revoked',
      email: expect.not.stringContaining(ana.email),
    })
  })

  it('leaves no row with the address, as a reader of reports', async () => {
    const [home, elsewhere] = [await app.signedInOwner(), await app.signedInOwner()]
    for (const one of [home, elsewhere]) await teamOn(app).plan(one, 'team')
    const cole = await app.colleague(home, 'user')
    const on = schedulesOn(app)
    const work = scheduleWorkOn(app, testMakers().all)
    const params = await on.schedule(home, { userIds: [cole.personId] })
    const outside = await on.schedule(elsewhere, { userIds: [], emails: [cole.email] })
    await app.database.owner.query('update report_recipient set confirmed_at = asked_at')
    await app.call(runReportSchedule, { params }, { as: home.person })
    await app.call(runReportSchedule, { params: outside }, { as: elsewhere.person })
    await work.run()
    expect(app.outbox.filter(({ to }) => to === cole.email)).toHaveLength(2)
    await leave(cole)
    expect(await naming(cole.email)).toEqual([])
    expect((await on.runs(params, home.person))[0]?.mails).toMatchObject([{ email: 'Deleted account', state: 'sent' }])
    expect((await on.read(outside, elsewhere.person)).recipients).toEqual([])
  })

  it('removes the address that the person had when they joined', async () => {
    const home = await app.signedInOwner()
    const ana = await app.person()
    const { inviteIds } = await app.call(
      inviteUsers,
      { params: home.params, body: { invites: [{ email: ana.email, role: 'user' }] } },
      { as: home.person },
    )
    await app.call(acceptInvite, { params: { inviteId: inviteIds[0] ?? '' } }, { as: ana })
    const moved = { ...ana, email: `moved.${ana.email}` }
    await app.database.owner.query('update person set email = $1 where id = $2', [moved.email, ana.personId])
    await leave(moved)
    expect(await naming(ana.email)).toEqual([])
  })

  it("requires the password and the account's address", async () => {
    const person = await app.person()
    await expect(leave(person, { password: 'Wr0ng!pass' })).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
    await expect(app.call(deleteAccount, { body: { email: person.email } }, { as: person })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { password: ['Enter your password.'] } },
    })
    await expect(leave(person, { email: 'other@example.org' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { email: ["This isn't your account's email address."] } },
    })
    await leave(person)
  })

  it('is refused to the last admin, naming the organizations', async () => {
    const home = await app.signedInOwner()
    const second = await app.organization(home.person, 'Bakery')
    await expect(leave(home.person)).rejects.toMatchObject({
      code: 'LAST_ADMIN',
      problem: {
        detail:
          'You are the only admin of Bakery and My Workspace. Make someone else an admin there, or delete the organization first.',
      },
    })
    await appoint(home, await app.colleague(home, 'admin'))
    await expect(leave(home.person)).rejects.toMatchObject({
      code: 'LAST_ADMIN',
      problem: { meta: { organizations: [{ orgId: second, orgName: 'Bakery' }] } },
    })
    // an organization being deleted doesn't need an admin
    await app.call(deleteOrganization, { params: { orgId: second } }, { as: home.person })
    await leave(home.person)
  })

  it('leaves one of two admins who delete their accounts at the same moment', async () => {
    const home = await app.signedInOwner()
    const cole = await app.colleague(home, 'admin')
    await appoint(home, cole)
    const ended = await Promise.allSettled([leave(home.person), leave(cole)])
    expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(
      (
        await app.database.owner.query('select from member where org_id = $1 and is_admin and removed_at is null', [
          home.orgId,
        ])
      ).rowCount,
    ).toBe(1)
  })
})
