import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAudit, exportAudit } from '#contract/audit.ts'
import { login } from '#contract/identity.ts'
import { endMemberSessions, listOrgUsers } from '#contract/members.ts'
import { home as homeCall, myPermissions, plan } from '#contract/organizations.ts'
import { organization, setSecurity } from '#contract/orgSettings.ts'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  deletePasskey,
  disableTotp,
  passkeyLogin,
  passkeyLoginOptions,
  passkeyOptions,
} from '#contract/secondFactor.ts'
import { codeOfApp, softAuthenticator } from '../testing/authenticator.ts'
import { openEvents } from '../testing/events.ts'
import { TEST_PASSWORD, type TestHome, type TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
let address: string
beforeAll(async () => {
  app = await startApp()
  address = await app.listen()
})
afterAll(() => app.close())

const browserOf = (person: TestPerson): TestPerson => ({ ...person, cookies: new Map() })

async function addApp(who: TestPerson): Promise<void> {
  const { secret } = await app.call(beginTotp, { body: { password: TEST_PASSWORD } }, { as: who })
  await app.call(confirmTotp, { body: { code: codeOfApp(secret, app.clock.now()) } }, { as: who })
}
async function addKey(who: TestPerson) {
  const device = softAuthenticator()
  const options = await app.call(passkeyOptions, { body: { password: TEST_PASSWORD } }, { as: who })
  const { passkeyId } = await app.call(
    addPasskey,
    { body: { name: 'Laptop', response: device.create(options) } },
    { as: who },
  )
  return { device, passkeyId }
}
const require = (home: TestHome, requireSecondFactor: boolean) =>
  app.call(setSecurity, { params: { orgId: home.orgId }, body: { requireSecondFactor } }, { as: home.person })
const enter = (home: TestHome, as: TestPerson) => app.call(myPermissions, { params: home.params }, { as })
const NEEDED = { code: 'SECOND_FACTOR_NEEDED', status: 403 }

/** An organization that requires a second factor, and a colleague who joined before that. */
async function strictHome() {
  const home = await app.signedInOwner()
  const colleague = await app.colleague(home, 'editor')
  await addApp(home.person)
  return { home, colleague }
}

describe('an organization that requires a second factor', () => {
  it('can only be set up by an admin who has one', async () => {
    const home = await app.signedInOwner()
    await expect(require(home, true)).rejects.toMatchObject(NEEDED)
    await addApp(home.person)
    await require(home, true)
    expect(await app.call(organization, { params: { orgId: home.orgId } }, { as: home.person })).toMatchObject({
      requireSecondFactor: true,
      withoutSecondFactor: 0,
    })
    await require(home, false)
    const { audits } = await app.call(listAudit, { params: { orgId: home.orgId } }, { as: home.person })
    expect(audits.map(({ changes }) => changes)).toEqual([
      [{ field: 'Two-factor authentication required', before: 'Yes', after: 'No' }],
      [{ field: 'Two-factor authentication required', before: 'No', after: 'Yes' }],
    ])
  })

  it('closes to members without one immediately, open streams included, and says why', async () => {
    const { home, colleague } = await strictHome()
    const stream = await openEvents(address, home.params, colleague)
    await enter(home, colleague)
    await require(home, true)
    await stream.ended
    await expect(enter(home, colleague)).rejects.toMatchObject(NEEDED)
    await expect(app.call(plan, { params: { orgId: home.orgId } }, { as: colleague })).rejects.toMatchObject(NEEDED)
    await expect(openEvents(address, home.params, colleague)).rejects.toThrow('403')
    const standing = await app.call(homeCall, {}, { as: colleague })
    expect(standing.organizations).toMatchObject([{ orgId: home.orgId, needsSecondFactor: true, projects: [] }])
    expect(standing.lastProject).toBeNull()
    expect(standing.onboarding).toEqual({ step: 'done', orgId: null, projectId: null })
    // the admin who set it stays in
    await enter(home, home.person)
  })

  it('closes exports and admin pages to another admin without one', async () => {
    const { home } = await strictHome()
    const second = await app.colleague(home, 'admin')
    await app.database.owner.query('update member set is_admin = true where org_id = $1 and person_id = $2', [
      home.orgId,
      second.personId,
    ])
    await require(home, true)
    const exported = await app.send(exportAudit, { params: { orgId: home.orgId } }, { as: second })
    expect(exported.json()).toMatchObject(NEEDED)
    await expect(
      app.call(setSecurity, { params: { orgId: home.orgId }, body: { requireSecondFactor: false } }, { as: second }),
    ).rejects.toMatchObject(NEEDED)
  })

  it("looks like any other to people who aren't in it", async () => {
    const { home } = await strictHome()
    await require(home, true)
    const stranger = await app.person()
    await expect(enter(home, stranger)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    const { home: other } = await strictHome()
    await expect(enter(other, home.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
  })

  it("opens with an authenticator app, and closes when it's turned off", async () => {
    const { home, colleague } = await strictHome()
    await require(home, true)
    await addApp(colleague)
    await enter(home, colleague)
    await app.call(disableTotp, { body: { password: TEST_PASSWORD } }, { as: colleague })
    await expect(enter(home, colleague)).rejects.toMatchObject(NEEDED)
  })

  it('opens for a login with a passkey, and not for one with a password alone', async () => {
    const { home, colleague } = await strictHome()
    await require(home, true)
    const { device, passkeyId } = await addKey(colleague)
    await enter(home, colleague)
    const byPassword = browserOf(colleague)
    await app.call(login, { body: { email: colleague.email, password: TEST_PASSWORD } }, { as: byPassword })
    await expect(enter(home, byPassword)).rejects.toMatchObject(NEEDED)
    const byKey = browserOf(colleague)
    const options = await app.call(passkeyLoginOptions, {})
    await app.call(passkeyLogin, { body: { response: device.get(options) } }, { as: byKey })
    await enter(home, byKey)
    await app.call(deletePasskey, { params: { passkeyId } }, { as: byKey })
    await expect(enter(home, byKey)).rejects.toMatchObject(NEEDED)
  })

  it('stays open for a remaining second factor', async () => {
    const { home, colleague } = await strictHome()
    await require(home, true)
    const { passkeyId } = await addKey(colleague)
    await addApp(colleague)
    await app.call(deletePasskey, { params: { passkeyId } }, { as: colleague })
    await enter(home, colleague)
  })

  it('shows its admins who has one', async () => {
    const { home, colleague } = await strictHome()
    const { users } = await app.call(listOrgUsers, { params: { orgId: home.orgId } }, { as: home.person })
    expect(Object.fromEntries(users.map(({ userId, secondFactor }) => [userId, secondFactor]))).toEqual({
      [home.person.personId]: true,
      [colleague.personId]: false,
    })
  })
})

describe('an admin', () => {
  const end = (home: TestHome, userId: string, as = home.person) =>
    app.call(endMemberSessions, { params: { orgId: home.orgId, userId } }, { as })

  it('logs a member out everywhere, closing streams, with an email and an audit entry', async () => {
    const home = await app.signedInOwner()
    const colleague = await app.colleague(home, 'editor')
    const stream = await openEvents(address, home.params, colleague)
    await end(home, colleague.personId)
    await stream.ended
    await expect(enter(home, colleague)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await until(() =>
      app.outbox.find(({ to, subject }) => to === colleague.email && subject === 'You were logged out of Rookery'),
    )
    const { audits } = await app.call(listAudit, { params: { orgId: home.orgId } }, { as: home.person })
    expect(audits[0]).toMatchObject({ action: 'ended', entityType: 'member_session' })
    const again = browserOf(colleague)
    await app.call(login, { body: { email: colleague.email, password: TEST_PASSWORD } }, { as: again })
    await enter(home, again)
  })

  it("can't do so to themselves, to people of other organizations, or to former members", async () => {
    const home = await app.signedInOwner()
    const other = await app.signedInOwner()
    await expect(end(home, home.person.personId)).rejects.toMatchObject({ code: 'OWN_ACCESS' })
    await expect(end(home, other.person.personId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const colleague = await app.colleague(home, 'editor')
    await expect(end(home, home.person.personId, colleague)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await app.database.owner.query('update member set removed_at = now() where org_id = $1 and person_id = $2', [
      home.orgId,
      colleague.personId,
    ])
    await expect(end(home, colleague.personId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await enter(other, other.person)
  })
})
