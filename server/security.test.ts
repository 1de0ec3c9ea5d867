import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAudit } from '#contract/audit.ts'
import { login } from '#contract/identity.ts'
import { appointAdmin } from '#contract/members.ts'
import { myPermissions } from '#contract/organizations.ts'
import { deleteProject } from '#contract/orgSettings.ts'
import { TEST_PASSWORD, type TestHome } from './testing/people.ts'
import { startApp, type TestApp } from './testing/startApp.ts'

type Line = { event?: unknown; personId?: unknown; address?: unknown; code?: unknown; orgId?: unknown }
const lines: Line[] = []
let app: TestApp
beforeAll(async () => {
  const keep = (facts: Line) => void lines.push(facts)
  app = await startApp({ log: { info: keep, warn: keep, error: keep } })
})
afterAll(() => app.close())

const events = (personId: string) => lines.filter((line) => line.personId === personId).map(({ event }) => event)
const logIn = (email: string, password = TEST_PASSWORD, remoteAddress = '10.50.0.1') =>
  app.call(login, { body: { email, password } }, { remoteAddress })
const audit = async (home: TestHome) => {
  await app.parts.security.close()
  const { audits } = await app.call(listAudit, { params: { orgId: home.orgId } }, { as: home.person })
  return audits.map(({ action, entityType, user, actor, entityName, targetValue }) => ({
    sentence: `${action} ${entityType}`,
    who: user?.userId ?? null,
    actor,
    entityName,
    targetValue,
  }))
}

describe('the log', () => {
  it('has logins, right, wrong and throttled, with the account and the client', async () => {
    const home = await app.signedInOwner()
    const { email, personId } = home.person
    await logIn(email)
    for (let i = 0; i < 5; i++) await logIn(email, 'Wrong-Horse1').catch(() => {})
    await logIn(email).catch(() => {})
    expect(events(personId)).toEqual([
      'login.succeeded',
      ...Array.from({ length: 5 }, () => 'login.failed'),
      'login.throttled',
    ])
    expect(lines.findLast((line) => line.personId === personId)).toMatchObject({ address: '10.50.0.1' })
    const written = await audit(home)
    const sentences = written.map(({ sentence }) => sentence)
    expect(sentences.filter((one) => one === 'failed_to_log_in_to account')).toHaveLength(5)
    expect(written).toContainEqual({
      sentence: 'logged_in_to account',
      who: personId,
      actor: 'member',
      entityName: 'Olive Owner',
      targetValue: null,
    })
    // who tried isn't known
    expect(written).toContainEqual(
      expect.objectContaining({ sentence: 'was_locked_out_of account', actor: 'unknown', entityName: 'Olive Owner' }),
    )
  })

  it('has logins to addresses without an account, and names nobody', async () => {
    lines.length = 0
    await logIn('nobody-at-all@example.org', TEST_PASSWORD, '10.50.0.2').catch(() => {})
    expect(lines).toMatchObject([{ event: 'login.failed', personId: null, address: '10.50.0.2' }])
    expect(JSON.stringify(lines)).not.toContain('nobody-at-all')
  })

  it('has refused rights; the audit keeps ten an hour of each person', async () => {
    const home = await app.signedInOwner()
    const colleague = await app.colleague(home, 'user')
    const tryIt = () =>
      app.call(deleteProject, { params: { orgId: home.orgId, id: home.projectId } }, { as: colleague })
    for (let i = 0; i < 13; i++) await expect(tryIt()).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const denied = lines.filter((line) => line.personId === colleague.personId)
    expect(denied).toHaveLength(13)
    expect(denied[0]).toMatchObject({
      event: 'access.denied',
      code: 'FORBIDDEN',
      orgId: home.orgId,
      endpoint: 'DELETE /api/:orgId/project/:id',
    })
    const written = (await audit(home)).filter(({ sentence }) => sentence === 'was_refused access')
    expect(written).toHaveLength(10)
    expect(written[0]).toMatchObject({ who: colleague.personId, targetValue: 'Delete a project' })
  })

  it("has strangers who try an organization, whose audit they don't fill", async () => {
    const home = await app.signedInOwner()
    const stranger = await app.person()
    await app.call(myPermissions, { params: home.params }, { as: stranger }).catch(() => {})
    expect(events(stranger.personId)).toEqual(['access.denied'])
    expect((await audit(home)).map(({ sentence }) => sentence)).not.toContain('was_refused access')
  })

  it('has refused origins and changes of access', async () => {
    const home = await app.signedInOwner()
    const colleague = await app.colleague(home, 'user')
    const params = { orgId: home.orgId, userId: colleague.personId }
    await app
      .call(
        appointAdmin,
        { params, body: { isOrgAdmin: true } },
        { as: home.person, headers: { origin: 'https://evil.example' } },
      )
      .catch(() => {})
    expect(lines.at(-1)).toMatchObject({ event: 'origin.refused', code: 'FOREIGN_ORIGIN' })
    await app.call(appointAdmin, { params, body: { isOrgAdmin: true } }, { as: home.person })
    expect(lines.at(-1)).toMatchObject({ event: 'access.changed', personId: home.person.personId, orgId: home.orgId })
  })

  it('never has a password or a token', () => {
    const text = JSON.stringify(lines)
    expect(text).not.toContain(TEST_PASSWORD)
    expect(text).not.toContain('Wrong-Horse1')
  })
})
