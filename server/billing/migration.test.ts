import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asSystem } from '../db/system.ts'
import { migrate } from '../db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { readSubscription } from './subscriptionRecord.ts'

/* Subscriptions of an installation that was set up before amounts were kept with the paid period. */

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  await migrate(database.settings, '0043-lookups')
})
afterAll(() => database.drop())

const sql = (text: string, values: unknown[] = []) => database.owner.query(text, values)
const [START, END, LATER] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z', '2026-11-11T00:00:00.000Z']

async function organization(plan: { status: string; addons: number }, credit = 0, overdue?: object): Promise<string> {
  const [orgId, personId] = [randomUUIDv7(), randomUUIDv7()]
  await sql(
    "insert into person (id, email, first_name, last_name, password_hash, created_at) values ($1::uuid, $1::text || '@rook.example', 'Olive', 'Owner', 'x', now())",
    [personId],
  )
  await sql(
    "insert into organization (org_id, name, org_type, org_size, created_at, created_by) values ($1, 'Rook', 'organization', '2-10', now(), $2)",
    [orgId, personId],
  )
  await sql(
    "insert into plan (org_id, plan_id, status, addon_quantity, changed_at) values ($1, 'individual', $2, $3, now())",
    [orgId, plan.status, plan.addons],
  )
  await sql(
    "insert into subscription (org_id, id, provider, billing_interval, anchor, period_start, period_end, credit, overdue, overdue_transaction, changed_at) values ($1::uuid, 'sub_' || $1::text, 'local', 'monthly', $2, $2, $3, $4, $5, $6, now())",
    [orgId, START, END, credit, overdue && JSON.stringify(overdue), overdue ? `txn_${orgId}` : null],
  )
  return orgId
}
const pay = (orgId: string, at: string, items: readonly object[], more: { id?: string; credit?: number } = {}) =>
  sql(
    `insert into billing_transaction (org_id, id, provider, kind, status, invoice_number, items, currency_code, tax_rate, subtotal, tax, credit, grand_total, created_at, occurred_at)
     values ($1, $2, 'local', 'change', 'paid', $3, $4, 'EUR', 0.19, 1000, 190, $5::int, 1190 - $5::int, $6, $6)`,
    [orgId, more.id ?? randomUUIDv7(), randomUUIDv7(), JSON.stringify(items), more.credit ?? 0, at],
  )
const after = (orgId: string) => asSystem(database.databases.system, (tx) => readSubscription(tx, orgId))

it('keeps what was paid for the running period, the credit in its currency and what is overdue', async () => {
  const running = await organization({ status: 'ACTIVE', addons: 4 }, 700)
  await pay(running, START, [
    { name: 'Individual, monthly', quantity: 1, subtotal: 1500 },
    { name: 'Channel Addons, monthly', quantity: 2, subtotal: 600 },
  ])
  await pay(
    running,
    LATER,
    [
      { name: 'Channel Addons until the period ends', quantity: 4, subtotal: 800 },
      { name: 'Unused Channel Addons', quantity: 2, subtotal: -400 },
    ],
    { credit: -700 },
  )
  const unknown = await organization({ status: 'ACTIVE', addons: 0 })
  const invoice = {
    lines: [
      { name: 'Individual, monthly', quantity: 1, subtotal: 333 },
      { name: 'Channel Addons, monthly', quantity: 1, subtotal: 333 },
    ],
    subtotal: 666,
    tax: 127,
    grandTotal: 793,
    creditUsed: 0,
    creditAdded: 0,
    charged: 793,
  }
  const late = await organization({ status: 'PAST_DUE', addons: 1 }, 0, {
    invoice,
    since: START,
    retries: 1,
    nextAttemptAt: LATER,
  })
  await pay(late, START, [], { id: `txn_${late}` })

  await migrate(database.settings)

  const { state } = await after(running)
  expect(state.credits).toEqual({ EUR: 700 })
  expect(state.paidItems).toMatchObject([
    { kind: 'plan', quantity: 1, net: 1500, tax: 285, taxRate: 0.19, currencyCode: 'EUR', from: new Date(START) },
    { kind: 'addons', quantity: 4, net: 800, tax: 152, from: new Date(LATER), until: new Date(END) },
  ])
  expect((await after(unknown)).state).toMatchObject({ credits: {}, paidItems: [], planned: null })
  expect((await after(late)).state.overdue?.invoice).toMatchObject({
    currencyCode: 'EUR',
    taxRate: 0.19,
    lines: [
      { kind: 'plan', tax: 63 },
      { kind: 'addons', tax: 64 },
    ],
    period: { from: new Date(START), to: new Date(END) },
    charged: 793,
  })
})
