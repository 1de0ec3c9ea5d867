import { afterAll, beforeAll, expect, test } from 'vitest'
import { entitlements, planStatuses } from '#contract/plans.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('agrees with the contract on when an organization can publish', async () => {
  const now = new Date('2026-11-21T12:00:00Z')
  for (const status of planStatuses) {
    for (const trialEndsAt of [null, new Date('2026-11-21T11:59:59Z'), now, new Date('2026-11-21T12:00:01Z')]) {
      const { rows } = await database.owner.query<{ valid: boolean }>('select plan_is_valid($1, $2, $3) as valid', [
        status,
        trialEndsAt,
        now,
      ])
      expect({ status, trialEndsAt, valid: rows[0]?.valid }).toEqual({
        status,
        trialEndsAt,
        valid: entitlements({ planId: 'team', status, addonQuantity: 0, trialEndsAt }, now).valid,
      })
    }
  }
})
