import { sql } from 'kysely'
import { z } from 'zod'
import type { PostFailure } from '#contract/postLists.ts'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import { partsMatter, postMatter, reconnectMatter } from '../notices/matters.ts'
import { ASK_TO_RECONNECT, type Notify } from '../notices/raise.ts'
import type { Reason } from '../platforms/platform.ts'
import { excerptOf } from '../posts/content.ts'
import type { Claimed, Going } from './claim.ts'
import type { Alongside, Outcome } from './outcomes.ts'
import { currentPart } from './parts.ts'
import { partName, platformLabel } from './words.ts'

/** What reaches people when the machine cannot go on, in the commit that says so: one notice per matter. */

/** For a post that failed or that only a person can settle; undefined when there is nothing to tell. */
export function tellOfPost(notify: Notify, claimed: Claimed, outcome: Outcome, now: Date): Alongside | undefined {
  const { failure, part_done: part } = outcome
  if (part?.state === 'failed' || part?.state === 'unsure')
    return tellOfPart(notify, claimed, part.state === 'failed', now)
  if (failure === null || outcome.step !== null) return undefined
  if (outcome.state !== 'FAILED') return (tx) => tellOfDoubt(notify, tx, claimed, failure, now)
  // what is late is late together: one notice for a channel and not one for each of its posts
  const together = ['late', 'plan', 'paused', 'reconnect'].includes(failure.class)
  return (tx) =>
    notify(
      tx,
      {
        orgId: claimed.org_id,
        projectId: claimed.project_id,
        matter: together
          ? `channel:${claimed.channel_id}:${failure.class}`
          : postMatter(claimed.post_id, outcome.state),
        kind: 'post-failed',
        title: `A post on ${platformLabel(claimed.platform)} wasn't published`,
        body: `${together ? '' : quoted(claimed.contents)}${failure.reason} ${failure.advice}`,
        ...(failure.action === 'reconnect' && { bodyToAsk: `${failure.reason} ${ASK_TO_RECONNECT}` }),
        link: `/${claimed.org_id}/project/${claimed.project_id}/post/${claimed.post_id}`,
        people: 'project-editors',
        channelIds: [claimed.channel_id],
        authorsOf: [claimed.post_id],
      },
      now,
    )
}

/** Asks people to look for a post of which nobody can find out whether it went out. */
export function tellOfDoubt(
  notify: Notify,
  tx: Tx,
  post: Pick<Claimed, 'org_id' | 'project_id' | 'post_id' | 'channel_id' | 'platform' | 'contents'>,
  { reason, advice }: PostFailure,
  now: Date,
): Promise<void> {
  const { org_id: orgId, project_id: projectId, post_id: postId } = post
  const matter = {
    orgId,
    projectId,
    matter: postMatter(postId, 'UNCONFIRMED'),
    kind: 'post-unconfirmed',
    title: `Was this post published on ${platformLabel(post.platform)}?`,
    body: `${quoted(post.contents)}${reason} ${advice}`,
    link: `/${orgId}/project/${projectId}/post/${postId}`,
    people: 'project-editors',
    channelIds: [post.channel_id],
    authorsOf: [postId],
  } as const
  return notify(tx, matter, now)
}

/** The post is live, and something that was to follow it is not there, or nobody knows. */
function tellOfPart(notify: Notify, claimed: Claimed, failed: boolean, now: Date): Alongside {
  const current = currentPart(claimed)
  const name = partName(current)
  const platform = platformLabel(claimed.platform)
  return (tx) =>
    notify(
      tx,
      {
        orgId: claimed.org_id,
        projectId: claimed.project_id,
        matter: partsMatter(claimed.post_id),
        kind: failed ? 'post-failed' : 'post-unconfirmed',
        title: failed
          ? `The ${name} of a post on ${platform} wasn't published`
          : `Was the ${name} of this post published on ${platform}?`,
        body: `${quoted(claimed.contents)}The post itself is live. ${failed ? 'Open it to see why and to retry the rest.' : `Check it on ${platform}, then tell us whether it's complete.`}`,
        link: `/${claimed.org_id}/project/${claimed.project_id}/post/${claimed.post_id}`,
        people: 'project-editors',
        channelIds: [claimed.channel_id],
        authorsOf: [claimed.post_id],
      },
      now,
    )
}

const Said = z.array(z.object({ text: z.string() }))
const QUOTED = 60

/** The beginning of what the post says, by which people know it; nothing for one without words. */
function quoted(contents: unknown): string {
  const [first] = Said.safeParse(contents).data ?? []
  const text = first?.text ?? ''
  const words = excerptOf(text, QUOTED)
  return words === '' ? '' : `“${words}${excerptOf(text) === words ? '' : '…'}” `
}

/** A channel, and the version of the secret that was found dead. */
export type SignedInChannel = Pick<
  Going,
  'org_id' | 'project_id' | 'channel_id' | 'platform' | 'handle' | 'lateness_minutes' | 'secret_version'
>

/** For a dead sign-in: the channel says so, unless it was connected again meanwhile (another version of its secret). */
export function tellOfChannel(notify: Notify, claimed: SignedInChannel, reason: Reason, now: Date): Alongside {
  return async (tx) => {
    const changed = await sql`
      update channel c set status = 'TOKEN_EXPIRED', problem = ${`${reason.text} ${reason.advice}`.trim()},
        away_since = case when c.enabled then ${now}::timestamptz else coalesce(c.away_since, ${now}::timestamptz) end
      where c.org_id = ${claimed.org_id} and c.id = ${claimed.channel_id} and c.status = 'CONNECTED'
        and not exists (select from channel_secret s where s.org_id = c.org_id and s.channel_id = c.id and s.version <> ${claimed.secret_version ?? 0})
      returning c.id`.execute(tx)
    if (changed.rows.length === 0) return
    const waits = `Until then its posts wait, each for up to ${claimed.lateness_minutes} minutes after its time.`
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
        matter: reconnectMatter(claimed.channel_id),
        kind: 'channel-signed-out',
        title: `${claimed.handle} is signed out of ${platformLabel(claimed.platform)}`,
        body: `${reason.text} ${reason.advice} ${waits}`,
        bodyToAsk: `${reason.text} ${ASK_TO_RECONNECT} ${waits}`,
        link: `/${claimed.org_id}/project/${claimed.project_id}/channels`,
        people: 'project-editors',
        channelIds: [claimed.channel_id],
      },
      now,
    )
  }
}
