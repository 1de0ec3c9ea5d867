import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { PostState } from '#contract/postStates.ts'
import { fail } from '../errors.ts'

import { whyLocked } from './locked.ts'

/*
 * The id of a draft is chosen by the browser, so a save that creates the draft and the submit that consumes it can be
 * under way at once, with no row that either could lock. Both take this lock first.
 */

/** Waits for any other transaction that creates or submits the draft of this id, and makes later ones wait for this one. */
export async function lockDraftId({ tx, org }: Pick<ProjectContext, 'tx' | 'org'>, draftId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`draft ${org.orgId} ${draftId}`}, 0))`.execute(tx)
}

/** Whether a batch was made of the draft. Ask it under the lock. */
export async function wasSubmitted({ tx, org }: Pick<ProjectContext, 'tx' | 'org'>, draftId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from batch where org_id = ${org.orgId} and draft_id = ${draftId}`.execute(tx)
  return rows.length > 0
}

/** POST_LOCKED: the draft has become posts. `state` is what its own post is now; undefined when that post is gone or hidden. */
export const alreadySubmitted = (state?: PostState) =>
  fail('POST_LOCKED', {
    detail:
      state === undefined || state === 'SCHEDULED'
        ? 'This draft was already submitted. You can find its posts in the calendar.'
        : whyLocked('edit', state),
    meta: { submitted: state !== 'DELETED', ...(state && { state }) },
  })
