import { sql } from 'kysely'
import type { Tx } from '../../db/kysely.ts'

/** Forgets that a person got reports, as a member or at their address, which gets none anymore. In a system transaction. */
export async function forgetReader(tx: Tx, { personId, email }: { personId: string; email: string }): Promise<void> {
  const theirs = sql`(c.person_id = ${personId} or c.email = ${email})`
  await sql`
    update report_mail m set email = 'Deleted account' from report_recipient c join report_run r on r.org_id = c.org_id and r.schedule_id = c.schedule_id
    where ${theirs} and m.org_id = c.org_id and m.run_id = r.id and m.recipient_id = c.id`.execute(tx)
  await sql`delete from report_recipient c where ${theirs}`.execute(tx)
}
