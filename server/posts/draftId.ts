import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'

import { whyLocked } from './locked.ts'

/*
 * The browser chooses a draft's ID, so the save that creates the draft and the submit that consumes it can run at
 * once, with no row that either could lock. Both take this lock first.
 */

/** Waits for any other transaction that creates or submits the draft with this ID, and makes later ones wait. */
export async function lockDraftId({ tx, org }: Pick<ProjectContext, 'tx' | 'org'>, draftId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`draft ${org.orgId} ${draftId}`}, 0))`.execute(tx)
}

/** Whether a batch was made from the draft. Call it under the lock. */
export async function wasSubmitted({ tx, org }: Pick<ProjectContext, 'tx' | 'org'>, draftId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from batch where org_id = ${org.orgId} and draft_id = ${draftId}`.execute(tx)
  return rows.length > 0
}

/** POST_LOCKED: the draft has become posts. `state` is the status of its own post; undefined if that is gone or hidden. */
export const alreadySubmitted = (state?: PostState) =>
  fail('POST_LOCKED', {
    detail:
      state === undefined || state === 'SCHEDULED'
        ? 'This draft was already submitted. You can find its posts in the calendar.'
        : whyLocked('edit', state),
    meta: { submitted: state !== 'DELETED', ...(state && { state }) },
  })
