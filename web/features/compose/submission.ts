import type { Channel } from '#contract/channels.ts'
import type { CallOf } from '#contract/endpoint.ts'
import type { editPost, Post } from '#contract/posts.ts'
import type { Submit } from '#contract/submit.ts'
import { commentFor, detailsFor, itemsTaken, postTypeFor, rulesOf } from './checks.ts'
import { aiHelpFor, itemsFor, mentionsFor, planFor, type Doc, type LinkCard, type Media } from './doc.ts'
import { contentsOf } from './draftDoc.ts'
import { scheduleOf, type Plan, type SeriesView } from './plan.ts'

/** Everything a submit is made of. */
export type Written = {
  doc: Doc
  /** All channels of the project, and those of the post. */
  channels: readonly Channel[]
  chosen: readonly Channel[]
  /** The leading time, see leadingPlan. */
  plan: Plan
  mediaOf: (key: string) => Media | undefined
  cardOf: (text: string) => LinkCard | null | undefined
  /** It's sent for approval first. */
  approve: boolean
  workflowId: string | null
}

/** The time that most channels have; each may have its own. It determines a submit's intent and the button's label. */
export function leadingPlan(doc: Doc, chosen: readonly Pick<Channel, 'channelId'>[]): Plan {
  const isShared = chosen.some(({ channelId }) => !doc.variants[channelId]?.plan)
  return isShared ? doc.plan : planFor(doc, chosen[0]?.channelId)
}

/** The channels that publish right away, which can't be undone. */
export const publishedNow = (doc: Doc, chosen: readonly Channel[]): readonly Channel[] =>
  chosen.filter(({ channelId }) => planFor(doc, channelId).mode === 'now')

function intentOf({ approve, plan }: Pick<Written, 'approve' | 'plan'>): Submit['intent'] {
  if (approve) return 'NEEDS_APPROVAL'
  return plan.mode === 'now' ? 'PUBLISH' : plan.mode === 'queue' ? 'QUEUE' : 'SCHEDULE'
}

/** The submission of new posts. `series` are the times that the person saw. */
export function newSubmission(
  written: Written,
  draft: { id: string; version: number },
  series: SeriesView | undefined,
): Submit {
  const { doc, chosen, plan, approve, workflowId } = written
  return {
    intent: intentOf(written),
    channels: chosen.map((channel) => {
      const { firstComment, mentions, ...content } = contentFor(channel, written)
      const own = doc.variants[channel.channelId]?.plan
      return {
        channelId: channel.channelId,
        ...content,
        ...(firstComment && { firstComment }),
        ...(mentions.length > 0 && { mentions }),
        ...(own && own !== plan && { schedule: scheduleOf(own) }),
      }
    }),
    schedule: scheduleOf(plan),
    ...(series && { previewed: series.times.map(({ at }) => at.toISOString()) }),
    // named even if there are none: what isn't named is copied from the draft
    labels: [...doc.labelIds],
    campaignIds: [...doc.campaignIds],
    ...(approve && workflowId !== null && { workflowId }),
    draftId: draft.id,
    draftVersion: draft.version,
  }
}

/** The submission of a post's changes; what is unchanged since it was opened (`before`) is left out. */
export function editSubmission(
  channel: Channel,
  written: Written,
  { post, doc: before }: { post: Pick<Post, 'status'>; doc: Doc },
): Omit<CallOf<typeof editPost>['body'], 'version' | 'scope' | 'overwrite'> {
  const { doc, plan, approve, workflowId } = written
  const { postType: _kept, ...content } = contentFor(channel, written)
  // its slot or requested time stays, unless the person changed it
  const keepsSchedule =
    ['QUEUED', 'NEEDS_APPROVAL', 'REJECTED'].includes(post.status) &&
    JSON.stringify(plan) === JSON.stringify(before.plan)
  return {
    ...content,
    ...(!keepsSchedule && post.status !== 'PUBLISHED' && { schedule: scheduleOf(plan) }),
    ...(!hasSame(doc.labelIds, before.labelIds) && { labels: [...doc.labelIds] }),
    ...(!hasSame(doc.campaignIds, before.campaignIds) && { campaignIds: [...doc.campaignIds] }),
    ...(workflowId !== null && (approve || workflowId !== before.workflowId) && { workflowId }),
  }
}

/** What one channel publishes. */
function contentFor(channel: Channel, { channels, doc, cardOf, mediaOf }: Written) {
  const postType = postTypeFor(channel, doc.variants[channel.channelId]?.postType)
  const aiHelp = aiHelpFor(doc, channel.channelId)
  return {
    postType,
    contents: contentsOf(itemsTaken(itemsFor(doc, channel.channelId), rulesOf(channel, postType)), { mediaOf }),
    additionalDetails: detailsFor(doc, channel, cardOf),
    firstComment: commentFor(doc, channel),
    mentions: mentionsFor(doc, channel, channels),
    ...(aiHelp.length > 0 && { aiHelp }),
  }
}

const hasSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id))
