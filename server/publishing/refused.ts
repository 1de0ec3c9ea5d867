import type { Reason } from '#contract/failures/catalog.ts'
import type { Refusal } from '../platforms/platform.ts'
import {
  facts,
  finish,
  isIrreversible,
  isOfPart,
  isReading,
  unready,
  UNREADY,
  type StepContext,
  type PublishContext,
} from './stepContext.ts'
import type { Claimed, Going } from './claim.ts'
import * as ofPost from './decide.ts'
import * as ofPart from './decideParts.ts'
import type { Outcome } from './outcomes.ts'
import { freshSecret, type Fresh } from './refresh.ts'
import { unreadWarning } from './failures.ts'
import { notifyOfChannel, notifyOfPost } from './notify.ts'

/* What a refusal leads to, whatever step it was said to. */

/** The rules of posts, or those of the parts that follow one. */
export const rulesOf = (claimed: Pick<Claimed, 'step'>) => (isOfPart(claimed) ? ofPart : ofPost)

/** Refusals of steps that change something. */
export async function refused(bench: StepContext, refusal: Refusal): Promise<void> {
  const { claimed, platform, reach } = bench
  switch (refusal.kind) {
    case 'retry':
      if (refusal.first === 'renew') return await renewOrSignOut(bench, refusal.reason)
      return await finish(bench, claimed, rulesOf(claimed).tryAgain(claimed, refusal, platform, facts(bench)), reach)
    case 'rejected':
      return await finish(bench, claimed, rulesOf(claimed).rejected(claimed, refusal.reason, facts(bench)), reach)
    case 'reconnect':
      return await renewOrSignOut(bench, refusal.reason)
    case 'unknown':
      // only what makes something is irreversible; an upload whose answer was lost is simply done again
      return await finish(
        bench,
        claimed,
        isIrreversible(claimed)
          ? rulesOf(claimed).lost(claimed, refusal.reason, platform.publish, facts(bench))
          : rulesOf(claimed).tryAgain(claimed, { kind: 'retry', reason: refusal.reason }, platform, facts(bench)),
        reach,
      )
  }
}

/** Refusals of steps that only read: a dead sign-in is told, everything else is `otherwise`. */
export async function couldNotRead(bench: StepContext, refusal: Refusal, otherwise: () => Outcome): Promise<void> {
  const signIn = refusal.kind === 'reconnect' || (refusal.kind === 'retry' && refusal.first === 'renew')
  if (signIn) await renewOrSignOut(bench, refusal.reason)
  else await finish(bench, bench.claimed, otherwise(), bench.reach)
}

/** A refused token may only be old: it is renewed a few times before a person is asked. */
async function renewOrSignOut(bench: StepContext, reason: Reason): Promise<void> {
  const { claimed } = bench
  const fresh = await renewed(bench)
  if (fresh === 'dead' || fresh.kind === 'reconnect') return await signedOut(bench, claimed, reason)
  if (fresh.kind === 'wait' && fresh.away && !isReading(claimed))
    return await finish(
      bench,
      claimed,
      rulesOf(claimed).tryAgain(claimed, fresh.away, bench.platform, facts(bench)),
      bench.reach,
    )
  const again = ofPost.gaveUp(claimed, facts(bench), fresh.kind === 'wait' ? fresh.milliseconds : 0)
  await finish(bench, claimed, fresh.kind === 'fresh' ? { ...again, outcome: RENEWED } : again, bench.reach)
}

const RENEWED = 'renewed'
/** What became of the post's last attempts. Those that never began say nothing of its sign-in. */
const LATEST =
  "select outcome from attempt where org_id = $1 and post_id = $2 and finished_at is not null and outcome <> 'not begun' order by id desc limit $3"

/** Nothing may be thrown here: the platform's answer is known, and would be forgotten with it. */
async function renewed({ pool, source, platform, claimed, account, log }: StepContext): Promise<Fresh | 'dead'> {
  try {
    const { rows } = await pool.query<{ outcome: string }>(LATEST, [
      claimed.org_id,
      claimed.post_id,
      ofPost.SIGN_IN_TRIES,
    ])
    if (rows.length === ofPost.SIGN_IN_TRIES && rows.every(({ outcome }) => outcome === RENEWED)) return 'dead'
    return await freshSecret(source, platform, claimed, account, true)
  } catch (error) {
    log.error({ err: error, postId: claimed.post_id, step: claimed.step }, 'a sign-in could not be renewed')
    return { kind: 'wait', milliseconds: UNREADY, reason: unready }
  }
}

/** The sign-in is dead: writes what that means for this step, and tells people of the channel and of the post in the same transaction. */
export async function signedOut(publishing: PublishContext, claimed: Going, reason: Reason): Promise<void> {
  const outcome = signedOutOf(publishing, claimed, reason)
  const now = publishing.clock.now()
  const [ofChannel, ofPost] = [
    notifyOfChannel(publishing.notify, claimed, reason, now),
    notifyOfPost(publishing.notify, claimed, outcome, now),
  ]
  await publishing.writer.write(outcome, async (tx) => {
    await ofChannel(tx)
    await ofPost?.(tx)
  })
}

function signedOutOf(publishing: PublishContext, claimed: Going, reason: Reason): Outcome {
  // nobody asks a platform for a post in work without a sign-in; a doubt is read again once there is one, unless it was wiped
  if (claimed.step === 'poll' || (claimed.step === 'settle' && claimed.key_id === null))
    return ofPost.escalateToUser(claimed, facts(publishing))
  if (claimed.step === 'settlePart' && claimed.key_id === null) return ofPart.escalateToUser(claimed, facts(publishing))
  if (claimed.step === 'settle' || claimed.step === 'settlePart')
    return rulesOf(claimed).unsettled(claimed, { kind: 'reconnect', reason }, facts(publishing))
  if (claimed.step !== 'readback') return rulesOf(claimed).signedOut(claimed, reason, facts(publishing))
  return ofPost.published(
    claimed,
    claimed.sent_at ?? publishing.clock.now(),
    { warning: unreadWarning(claimed.platform, reason) },
    facts(publishing),
  )
}
