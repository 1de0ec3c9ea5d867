import { because } from '#contract/failures/catalog.ts'
import { attempt, facts, finish, type StepContext } from './stepContext.ts'
import * as decide from './decideParts.ts'
import { gaveUp } from './decide.ts'
import { partToSend } from './parts.ts'
import { couldNotRead, refused } from './refused.ts'

/** Sends the part that is next: as the sending of a post, with the part's own key. */
export async function sendPart(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post } = bench
  const part = partToSend(claimed, post)
  const send = platform.publish.sendPart
  if (!part || !send) return await finish(bench, claimed, decide.rejected(claimed, UNKNOWN_PART, facts(bench)))
  // one attempt: a late success would make it twice
  const answer = await attempt(() => send(reach, secret, account, post, part), 'unknown')
  if (answer.kind === 'sent')
    return await finish(bench, claimed, decide.sent(claimed, answer.remoteId, answer.progress, facts(bench)), reach)
  if (answer.kind === 'preparing')
    return await finish(
      bench,
      claimed,
      decide.preparing(claimed, answer.progress, answer.checkAfterSeconds, facts(bench)),
      reach,
    )
  if (answer.kind === 'retry' && reach.withheld)
    return await finish(bench, claimed, gaveUp(claimed, facts(bench), 250), reach)
  await refused(bench, answer)
}

/** Looks whether the part is there, after a lost answer and wherever somebody else may have sent it. */
export async function settlePart(bench: StepContext): Promise<void> {
  const { platform, claimed, reach, secret, account, post } = bench
  const part = partToSend(claimed, post)
  const look = platform.publish.settlePart
  if (!part || !look) return await finish(bench, claimed, decide.escalateToUser(claimed, facts(bench)))
  const answer = await attempt(() => look(reach, secret, account, post, part), 'retry')
  if (answer.kind === 'sent')
    return await finish(bench, claimed, decide.sent(claimed, answer.remoteId, answer.progress, facts(bench)), reach)
  if (answer.kind === 'absent')
    return await finish(bench, claimed, decide.absent(claimed, platform.publish, facts(bench)), reach)
  if (answer.kind === 'rejected')
    return await finish(bench, claimed, decide.escalateToUser(claimed, facts(bench), answer.reason), reach)
  await couldNotRead(bench, answer, () => decide.unsettled(claimed, answer, facts(bench)))
}

const UNKNOWN_PART = because('follow-up-unknown')
