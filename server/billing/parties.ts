import { sql } from 'kysely'
import { z } from 'zod'
import { BillingDetails } from '#contract/billing.ts'
import type { Tx } from '../db/kysely.ts'

/** Who issues invoices: lines as they're printed, the name first. */
export const Seller = z.object({ lines: z.array(z.string()) })
export type Seller = z.infer<typeof Seller>

/** The recipient of an invoice, as it was when it was issued. */
export const Buyer = z.object({
  name: z.string(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  taxId: z.string().nullable().default(null),
})
export type Buyer = z.infer<typeof Buyer>

/** The billing details that an admin entered; null if there are none. */
export async function readBillingDetails(tx: Tx, orgId: string): Promise<BillingDetails | null> {
  const { billing_details: details } = await tx
    .selectFrom('organization')
    .select('billing_details')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return BillingDetails.nullable().parse(details)
}

/**
 * The buyer of an invoice issued now: the billing details, otherwise the organization's name and the email of the
 * person who pays, or of the longest-serving admin.
 */
export async function buyerNow(tx: Tx, orgId: string, payerId: string | null): Promise<Buyer> {
  const details = await readBillingDetails(tx, orgId)
  const { name } = await tx
    .selectFrom('organization')
    .select('name')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ email: string }>`
    select p.email from member m join person p on p.id = m.person_id
    where m.org_id = ${orgId} and m.removed_at is null and (m.is_admin or m.locked_admin or m.person_id = ${payerId}::uuid)
    order by m.person_id is not distinct from ${payerId}::uuid desc, m.added_at, m.person_id limit 1`.execute(tx)
  return {
    name: details?.name || name,
    email: details?.email || (rows[0]?.email ?? null),
    address: details?.address || null,
    taxId: details?.taxId || null,
  }
}
