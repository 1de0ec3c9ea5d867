import { z } from 'zod'
import type { PostFailure } from '#contract/postLists.ts'
import type { Tx } from '../db/kysely.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import type { Notify } from '../notifications/create.ts'
import { excerptOf } from '#contract/excerpt.ts'
import type { Claimed } from '../delivery/claim.ts'
import type { Alongside, Decision } from '../delivery/decision.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { nameOf } from './followUps.ts'
import { postOf } from './loaded.ts'

/** Whom publishing notifies when it can't continue, in the commit that records it. */

/** For a post that failed or that only a person can resolve; undefined when there's nothing to notify people of. */
export function notifyOfPost(
  claimed: Claimed,
  { kind, failure, step }: Decision,
  notify: Notify,
  now: Date,
): Alongside | undefined {
  if (failure === null || step !== null) return undefined
  const facts = factsOf(claimed)
  if (kind === 'unresolved') return (tx) => notifyOfDoubt(notify, tx, facts, failure, now)
  // late posts come together: one notification per channel, not one per post
  const together = ['late', 'plan', 'paused', 'reconnect'].includes(failure.class)
  return (tx) =>
    notify(
      tx,
      {
        orgId: facts.org_id,
        projectId: facts.project_id,
        dedupeKey: together ? `channel:${facts.channel_id}:${failure.class}` : dedupeKeys.post(facts.post_id, 'FAILED'),
        kind: 'post-failed',
        params: { ...postFacts(facts), ...(together && { excerpt: '' }), failure },
        people: 'project-editors',
        channelIds: [facts.channel_id],
        authorsOf: [facts.post_id],
      },
      now,
    )
}

/** Asks people to check a post when there's no way to find out whether it was published. */
export function notifyOfDoubt(notify: Notify, tx: Tx, post: Facts, failure: PostFailure, now: Date): Promise<void> {
  return notify(
    tx,
    {
      orgId: post.org_id,
      projectId: post.project_id,
      dedupeKey: dedupeKeys.post(post.post_id, 'UNCONFIRMED'),
      kind: 'post-unconfirmed',
      params: { ...postFacts(post), failure },
      people: 'project-editors',
      channelIds: [post.channel_id],
      authorsOf: [post.post_id],
    },
    now,
  )
}

/** The post is live, and one of its follow-ups failed or is unconfirmed. */
export function notifyOfFollowUp(
  claimed: Claimed,
  { state }: Decision,
  notify: Notify,
  now: Date,
): Alongside | undefined {
  if (state !== 'failed' && state !== 'unsure') return undefined
  const facts = factsOf(claimed)
  return (tx) =>
    notify(
      tx,
      {
        orgId: facts.org_id,
        projectId: facts.project_id,
        dedupeKey: dedupeKeys.followUps(facts.post_id),
        kind: state === 'failed' ? 'follow-up-failed' : 'follow-up-unconfirmed',
        params: { ...postFacts(facts), followUp: nameOf(claimed) },
        people: 'project-editors',
        channelIds: [facts.channel_id],
        authorsOf: [facts.post_id],
      },
      now,
    )
}

type Facts = {
  org_id: string
  project_id: string
  channel_id: string
  post_id: string
  platform: PlatformKey
  contents: unknown
}

function factsOf(claimed: Claimed): Facts {
  const { orgId, postId, post } = postOf(claimed)
  return {
    org_id: orgId,
    project_id: post.project_id,
    channel_id: claimed.channel_id,
    post_id: postId,
    platform: claimed.platform,
    contents: post.contents,
  }
}

const postFacts = ({ post_id: postId, platform, contents }: Pick<Facts, 'post_id' | 'platform' | 'contents'>) => ({
  postId,
  platform,
  excerpt: beginningOf(contents),
})

const Said = z.array(z.object({ text: z.string() }))
const QUOTED = 60

/** The beginning of the post's text, with an ellipsis if it's longer; empty for a post without text. */
function beginningOf(contents: unknown): string {
  const [first] = Said.safeParse(contents).data ?? []
  const text = first?.text ?? ''
  const excerpt = excerptOf(text, QUOTED)
  return excerptOf(text) === excerpt ? excerpt : `${excerpt}…`
}
