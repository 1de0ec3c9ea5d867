import type { Reason } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PostFailure } from '#contract/postLists.ts'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import type { Notify } from '../notifications/create.ts'
import { excerptOf } from '../posts/content.ts'
import type { Claimed, Going } from './claim.ts'
import type { Alongside, Outcome } from './outcomes.ts'
import { currentPart } from './parts.ts'

/** Whom publishing notifies when it can't go on, in the commit that says so. */

/** For a post that failed or that only a person can resolve; undefined when there's nothing to notify people of. */
export function notifyOfPost(notify: Notify, claimed: Claimed, outcome: Outcome, now: Date): Alongside | undefined {
  const { failure, part_done: part } = outcome
  if (part?.state === 'failed' || part?.state === 'unsure')
    return notifyOfFollowUp(notify, claimed, part.state === 'failed', now)
  if (failure === null || outcome.step !== null) return undefined
  if (outcome.state !== 'FAILED') return (tx) => notifyOfDoubt(notify, tx, claimed, failure, now)
  // what is late is late together: one notification for a channel, not one for each of its posts
  const together = ['late', 'plan', 'paused', 'reconnect'].includes(failure.class)
  return (tx) =>
    notify(
      tx,
      {
        orgId: claimed.org_id,
        projectId: claimed.project_id,
        dedupeKey: together
          ? `channel:${claimed.channel_id}:${failure.class}`
          : dedupeKeys.post(claimed.post_id, outcome.state),
        kind: 'post-failed',
        params: { ...postFacts(claimed), ...(together && { excerpt: '' }), failure },
        people: 'project-editors',
        channelIds: [claimed.channel_id],
        authorsOf: [claimed.post_id],
      },
      now,
    )
}

/** Asks people to look for a post when nobody can find out whether it was published. */
export function notifyOfDoubt(
  notify: Notify,
  tx: Tx,
  post: PostFacts & Pick<Claimed, 'org_id' | 'project_id' | 'channel_id'>,
  failure: PostFailure,
  now: Date,
): Promise<void> {
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

/** The post is live, and something that was to follow it failed, or nobody knows. */
function notifyOfFollowUp(notify: Notify, claimed: Claimed, failed: boolean, now: Date): Alongside {
  const { kind, item } = currentPart(claimed) ?? { kind: 'comment', item: null }
  return (tx) =>
    notify(
      tx,
      {
        orgId: claimed.org_id,
        projectId: claimed.project_id,
        dedupeKey: dedupeKeys.followUps(claimed.post_id),
        kind: failed ? 'follow-up-failed' : 'follow-up-unconfirmed',
        params: { ...postFacts(claimed), followUp: { kind, item } },
        people: 'project-editors',
        channelIds: [claimed.channel_id],
        authorsOf: [claimed.post_id],
      },
      now,
    )
}

type PostFacts = Pick<Claimed, 'post_id' | 'platform' | 'contents'>

const postFacts = ({ post_id: postId, platform, contents }: PostFacts) => ({
  postId,
  platform,
  excerpt: beginningOf(contents),
})

const Said = z.array(z.object({ text: z.string() }))
const QUOTED = 60

/** How the post's text begins, with an ellipsis where it goes on; empty for a post without text. */
function beginningOf(contents: unknown): string {
  const [first] = Said.safeParse(contents).data ?? []
  const text = first?.text ?? ''
  const excerpt = excerptOf(text, QUOTED)
  return excerptOf(text) === excerpt ? excerpt : `${excerpt}…`
}

/** A channel, and the version of the secret that was found dead. */
export type SignedInChannel = Pick<
  Going,
  'org_id' | 'project_id' | 'channel_id' | 'platform' | 'handle' | 'lateness_minutes' | 'secret_version'
>

/** For a dead sign-in: the channel says so, unless it was connected again meanwhile (another version of its secret). */
export function notifyOfChannel(notify: Notify, claimed: SignedInChannel, reason: Reason, now: Date): Alongside {
  return async (tx) => {
    const changed = await sql`
      update channel c set status = 'TOKEN_EXPIRED', problem = ${JSON.stringify(reason)}::jsonb,
        away_since = case when c.enabled then ${now}::timestamptz else coalesce(c.away_since, ${now}::timestamptz) end
      where c.org_id = ${claimed.org_id} and c.id = ${claimed.channel_id} and c.status = 'CONNECTED'
        and not exists (select from channel_secret s where s.org_id = c.org_id and s.channel_id = c.id and s.version <> ${claimed.secret_version ?? 0})
      returning c.id`.execute(tx)
    if (changed.rows.length === 0) return
    await emit(
      tx,
      { orgId: claimed.org_id, projectId: claimed.project_id, kind: 'channel', ref: claimed.channel_id },
      now,
    )
    await notify(
      tx,
      {
        orgId: claimed.org_id,
        projectId: claimed.project_id,
        dedupeKey: dedupeKeys.reconnect(claimed.channel_id),
        kind: 'channel-signed-out',
        params: {
          handle: claimed.handle,
          platform: claimed.platform,
          reason,
          latenessMinutes: claimed.lateness_minutes,
        },
        people: 'project-editors',
        channelIds: [claimed.channel_id],
      },
      now,
    )
  }
}
