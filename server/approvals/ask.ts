import type { Tx } from '../db/kysely.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { createNotification } from '../notifications/create.ts'
import { judge, type Round } from './rounds.ts'
import { membersAsked } from './steps.ts'

/** The job that creates and emails external approvers' links: enqueued here, run by links.ts. */
export const mailLinksJob = { name: 'workflows.links' }
/** How many posts one email to an external approver lists. */
const POSTS_PER_MAIL = 40

export type Place = { orgId: string; projectId: string }
type Asking = {
  /** The sender's name. */ sender: string
  /** People who needn't be notified: they just did it. */ except?: string
  /** The start of each post. */ excerpts: ReadonlyMap<string, string>
}

/**
 * Notifies the approvers of these rounds' open step, all of one project and sent together: one notification per post,
 * or one for many; an email with links to each external address.
 */
export async function ask(
  tx: Tx,
  place: Place,
  rounds: readonly Round[],
  { sender, except, excerpts }: Asking,
  now: Date,
): Promise<void> {
  const judged = await judge(tx, place, rounds, now)
  // for posts sent together, the same people are asked on each channel: nobody has decided yet
  const byChannel = new Map<string | null, string[]>()
  const asked = judged.map(({ round, standing }) => {
    const people = byChannel.get(round.channelId) ?? membersAsked(standing).filter((personId) => personId !== except)
    byChannel.set(round.channelId, people)
    return { round, people }
  })
  const [first, ...more] = asked
  if (first && more.length === 0)
    await createNotification(
      tx,
      {
        ...waitingPost(place, first.round),
        kind: 'approval-requested',
        params: { sender, postId: first.round.postId, excerpt: excerpts.get(first.round.postId) ?? '' },
        people: first.people,
      },
      now,
    )
  else if (first)
    await askTogether(
      tx,
      place,
      first.round,
      asked.map(({ people }) => people),
      sender,
      now,
    )
  await mailOutside(
    tx,
    place,
    judged.map(({ round }) => round),
  )
}

/** What notifications about one waiting post have in common. */
export const waitingPost = (
  { orgId, projectId }: Place,
  { approvalId, step, channelId }: Pick<Round, 'approvalId' | 'step' | 'channelId'>,
) => ({
  orgId,
  projectId,
  dedupeKey: dedupeKeys.approval(approvalId, step),
  channelIds: channelId === null ? null : [channelId],
})

/** One notification for all the posts that someone is asked about at once. */
async function askTogether(
  tx: Tx,
  { orgId, projectId }: Place,
  first: Round,
  asked: readonly (readonly string[])[],
  sender: string,
  now: Date,
): Promise<void> {
  const counts = new Map<string, number>()
  for (const personId of asked.flat()) counts.set(personId, (counts.get(personId) ?? 0) + 1)
  for (const n of new Set(counts.values())) {
    const people = [...counts].flatMap(([personId, count]) => (count === n ? [personId] : []))
    await createNotification(
      tx,
      {
        orgId,
        projectId,
        dedupeKey: `${dedupeKeys.approval(first.approvalId, first.step)}:${n}`,
        kind: 'approvals-requested',
        params: { sender, count: n },
        people,
        channelIds: null,
      },
      now,
    )
  }
}

/** Has links emailed to the external approvers of these rounds' open step. */
export async function mailOutside(tx: Tx, place: Place, rounds: readonly Round[], again = false): Promise<void> {
  const byEmail = new Map<string, Round[]>()
  for (const round of rounds)
    for (const approver of round.steps[round.step]?.approvers ?? [])
      if (approver.kind === 'external') byEmail.set(approver.email, [...(byEmail.get(approver.email) ?? []), round])
  for (const [email, theirs] of byEmail) {
    for (let from = 0; from < theirs.length; from += POSTS_PER_MAIL) {
      const approvalIds = theirs.slice(from, from + POSTS_PER_MAIL).map(({ approvalId }) => approvalId)
      await enqueue(
        tx,
        mailLinksJob,
        { ...place, email, approvalIds, step: theirs[0]?.step ?? 0, again },
        { key: `${approvalIds[0]}:${theirs[0]?.step}:${email}` },
      )
    }
  }
}
