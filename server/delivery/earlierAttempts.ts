import type pg from 'pg'
import type { Claimed } from './claim.ts'

/*
 * What the journal says about earlier attempts to send a delivery: whether one of them may have arrived, although the
 * platform was asked and didn't show it.
 */

/** The outcome of an attempt that the platform refused as a repeat, after an earlier one whose outcome is unknown. */
export const REPEAT = 'repeat'

type Of = Pick<Claimed, 'org_id' | 'subject_id' | 'subject' | 'key'>
const ATTEMPTS = 'from attempt a where a.org_id = $1 and a.subject_id = $2 and a.subject = $3 and a.key = $4'
/** Including what a restored database or a worker that died doesn't know. */
const MAY_HAVE_ARRIVED = `
  select exists (select ${ATTEMPTS} and a.step = 'send' and a.id <> $5
      and (a.finished_at is null or a.outcome in ('unknown', 'unsettled', 'abandoned', '${REPEAT}')))
    or exists (select from delivery d where d.org_id = $1 and d.subject_id = $2 and d.subject = $3 and d.key = $4 and d.doubted)
    as is_so`
const LAST = `select outcome ${ATTEMPTS} and a.step in ('send', 'poll') order by a.started_at desc, a.id desc limit 1`

/** Whether an attempt before this one may have been carried out by the platform. */
export async function mayHaveArrived(pool: pg.Pool, claimed: Of & Pick<Claimed, 'attempt_id'>): Promise<boolean> {
  const { org_id: orgId, subject_id: subjectId, subject, key, attempt_id: attemptId } = claimed
  const { rows } = await pool.query<{ is_so: boolean }>(MAY_HAVE_ARRIVED, [orgId, subjectId, subject, key, attemptId])
  return rows[0]?.is_so === true
}

/** Whether the platform refused the last attempt as a repeat: then not finding it is no reason to send it again. */
export async function wasRepeat(pool: pg.Pool, { org_id: orgId, subject_id: subjectId, subject, key }: Of) {
  const { rows } = await pool.query<{ outcome: string | null }>(LAST, [orgId, subjectId, subject, key])
  return rows[0]?.outcome === REPEAT
}
