import { afterAll, beforeAll, expect, it } from 'vitest'
import { listNotices } from '#contract/notices.ts'
import { plan } from '#contract/organizations.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { watchTrials } from './trials.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const watch = () => watchTrials({ databases: app.parts.databases, clock: app.clock })
const told = async (home: TestHome) =>
  (await app.call(listNotices, { params: home.params }, { as: home.person })).notices.map(({ title }) => title)
const statusOf = async (home: TestHome) =>
  (await app.database.owner.query<{ status: string }>('select status from plan where org_id = $1', [home.orgId]))
    .rows[0]?.status

it('notify admins alone three days before, one day before and at the end, each once', async () => {
  const home = await app.signedInOwner()
  const editor = await app.colleague(home, 'editor')
  await watch()
  app.clock.advance({ days: 10, hours: 23 })
  await watch()
  expect(await told(home)).toEqual([])
  app.clock.advance({ hours: 1 })
  await watch()
  await watch()
  expect(await told(home)).toEqual(['The trial for My Workspace ends in 3 days'])
  app.clock.advance({ days: 1 })
  await watch()
  expect(await told(home)).toHaveLength(1)
  app.clock.advance({ days: 1 })
  await watch()
  await watch()
  expect(await told(home)).toEqual([
    'The trial for My Workspace ends within a day',
    'The trial for My Workspace ends in 3 days',
  ])
  expect(await statusOf(home)).toBe('TRIAL_ACTIVE')
  app.clock.advance({ days: 1 })
  await Promise.all([watch(), watch()])
  await watch()
  expect((await told(home))[0]).toBe('The trial for My Workspace has ended')
  expect(await told(home)).toHaveLength(3)
  expect(await told({ ...home, person: editor })).toEqual([])
  expect(
    (await app.call(listNotices, { params: home.params }, { as: home.person })).notices.map(({ link }) => link),
  ).toEqual(Array.from({ length: 3 }, () => `/${home.orgId}/project/${home.projectId}/org-settings?tab=billing`))
  const { rows } = await app.database.owner.query('select 1 from notice where org_id = $1 and count > 1', [home.orgId])
  expect(rows).toEqual([])
})

it('end in the plan too, with an audit entry without a person and an event for open screens, once', async () => {
  const home = await app.signedInOwner()
  const going = await app.signedInOwner()
  app.clock.advance({ days: 14 })
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [going.orgId])
  await Promise.all([watch(), watch(), watch()])
  expect([await statusOf(home), await statusOf(going)]).toEqual(['TRIAL_EXPIRED', 'ACTIVE'])
  expect(await app.call(plan, { params: { orgId: home.orgId } }, { as: home.person })).toMatchObject({
    planStatus: 'TRIAL_EXPIRED',
    valid: false,
  })
  const audit = await app.database.owner.query(
    "select person_id, action, entity, entity_id, detail from audit where org_id = $1 and entity = 'plan'",
    [home.orgId],
  )
  expect(audit.rows).toEqual([
    {
      person_id: null,
      action: 'expired',
      entity: 'plan',
      entity_id: home.orgId,
      detail: { before: { status: 'TRIAL_ACTIVE' }, after: { status: 'TRIAL_EXPIRED' } },
    },
  ])
  const events = await app.database.owner.query("select ref from event where org_id = $1 and kind = 'plan'", [
    home.orgId,
  ])
  expect(events.rows).toEqual([{ ref: home.orgId }])
  expect(await told(going)).toEqual([])
})

it('that were missed for days are announced as they are now', async () => {
  const home = await app.signedInOwner()
  app.clock.advance({ days: 13, hours: 12 })
  await watch()
  expect(await told(home)).toEqual(['The trial for My Workspace ends within a day'])
})
