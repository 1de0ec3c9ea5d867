import { sql } from 'kysely'
import { asSystem } from '../../db/system.ts'
import type { Databases } from '../../db/pools.ts'
import type { JobContext } from '../../jobs/job.ts'
import type { Claimed } from './claim.ts'
import { notifyUndelivered } from './notify.ts'
import { asHolder, noteRun, readSubject } from './run.ts'

/*
 * A database that was restored from a backup, or is a copy of another one, doesn't know what was sent since. Until someone resumes
 * publishing, nothing is sent, and whatever is open may have been sent.
 */

/** Whether this database is such a copy, and nobody has resumed publishing yet. */
export async function isHeld({ system }: Pick<Databases, 'system'>): Promise<boolean> {
  const held = await asSystem(system, (tx) =>
    tx.selectFrom('instance').select('held_since').where('held_since', 'is not', null).executeTakeFirst(),
  )
  return held !== undefined
}

/** Has all open runs taken, also those that wait. */
export async function wakeHeld({ databases, clock }: JobContext): Promise<void> {
  await asSystem(databases.system, (tx) =>
    sql`update report_run set next_try_at = ${clock.now()} where state in ('waiting', 'making', 'sending') and next_try_at > ${clock.now()}`.execute(
      tx,
    ),
  )
}

/** Ends a run of a copy: its mails may have arrived. People can send them again, or the report. */
export async function endHeld(context: JobContext, run: Claimed): Promise<void> {
  await asHolder(context, run, async (tx, now) => {
    const subject = await readSubject(tx, run)
    if (run.state !== 'sending')
      return await noteRun(tx, run, subject.reportId, { state: 'skipped', reason: 'missed' }, now)
    await tx
      .updateTable('report_mail')
      .set({ state: 'unconfirmed', reason: 'restored', at: now })
      .where('org_id', '=', run.orgId)
      .where('run_id', '=', run.runId)
      .where('state', 'in', ['pending', 'sending'])
      .execute()
    await noteRun(tx, run, subject.reportId, { state: 'done', reason: null }, now)
    await notifyUndelivered(tx, run, subject, now)
  })
}
