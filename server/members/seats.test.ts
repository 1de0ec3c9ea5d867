import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asTenant } from '../db/tenant.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { countSeats, lockSeats, mustHaveSeats } from './seats.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

// no current plan has a number of seats between one and all: the number is the test's, lock and count are the product's
const SEATS = 4
const TOGETHER = 10

it('ten simultaneous invitations fill the seats without exceeding them', async () => {
  const home = await app.signedInOwner()
  const now = app.clock.now()
  const { web } = app.parts.databases
  // all start once the last has its connection: opening connections one by one would space them out
  const { promise: everybodyIsThere, resolve: begin } = Promise.withResolvers<void>()
  let there = 0
  const invite = () =>
    asTenant(web, home.orgId, async (tx) => {
      if (++there === TOGETHER) begin()
      await everybodyIsThere
      const seats = { ...(await lockSeats(tx, home.orgId, now)), allowed: SEATS }
      const row = {
        org_id: home.orgId,
        id: randomUUID(),
        project_id: home.projectId,
        email: `${randomUUID()}@example.org`,
        role_id: home.roles.user,
        channel_ids: null,
        invited_by: home.person.personId,
        accepted_at: null,
        accepted_by: null,
        revoked_at: null,
      }
      await tx
        .insertInto('invite')
        .values({ ...row, created_at: now, sent_at: now, expires_at: new Date(now.getTime() + 1000) })
        .execute()
      await mustHaveSeats(tx, home.orgId, seats, now)
    })
  const results = await Promise.allSettled(Array.from({ length: TOGETHER }, invite))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(SEATS - 1)
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({
        code: 'PLAN_LIMIT',
        facts: { detail: 'Your plan includes 4 users.', meta: { gate: 'users' } },
      })
  expect(await asTenant(web, home.orgId, (tx) => countSeats(tx, home.orgId, now))).toBe(SEATS)
  // an expired invitation frees its seat
  expect(await asTenant(web, home.orgId, (tx) => countSeats(tx, home.orgId, new Date(now.getTime() + 1000)))).toBe(1)
})
