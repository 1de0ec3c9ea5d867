import type { ProjectContext } from '../http/route.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Mention, PostContent } from '#contract/content.ts'
import { problem, type PostProblem } from '#contract/postProblems.ts'
import type { ComposedChannel, Schedule, Submit } from '#contract/submit.ts'
import type { QueuePosition } from '#contract/queues.ts'
import { isRecurrence, type Recurrence } from '#contract/series.ts'
import type { ChannelRow } from '../access/channels.ts'
import { fail } from '../errors.ts'

import type { Composed } from './checks.ts'
import { planSeries, planTime, wishedTime, type PlannedTime } from './time.ts'

/** The input of a submit: from a request, or from a job with the permissions of the person who started it. */
export type Submission = ProjectContext & { body: Submit }

/** When the posts of a channel are published: at given times, by its queue, or not at all. */
type Plan =
  | { kind: 'times'; times: readonly PlannedTime[]; recurrence: Recurrence | null }
  | { kind: 'queue'; position: QueuePosition; zone: string }
  | { kind: 'draft'; schedule: Schedule; time: PlannedTime }

/** One channel's part of a submit with the posts that it creates: one per time. */
export type ChannelSubmission = Composed & {
  plan: Plan
  asked: Schedule
  firstComment: string
  mentions: readonly Mention[]
  posts: readonly NewPost[]
}
export type NewPost = {
  postId: string
  time: PlannedTime
  series: { seriesId: string; index: number; count: number } | null
}

/** What can be checked without a channel: at least one channel, each once, schedules that fit the intent. Throws BAD_INPUT by field. */
export function mustBeWhole({ intent, channels, schedule, workflowId }: Submission['body']): void {
  const errors: Record<string, string[]> = {}
  if (channels.length === 0) errors['channels'] = ['Choose at least one channel.']
  const seen = new Set<string>()
  for (const [i, { channelId, schedule: own }] of channels.entries()) {
    if (seen.has(channelId)) errors[`channels.${i}.channelId`] = ['This channel is selected twice.']
    seen.add(channelId)
    if (own?.type === 'DRAFT' && intent !== 'DRAFT') errors[`channels.${i}.schedule`] = ['Choose a time.']
  }
  const wrong = wrongSchedule(intent, schedule)
  if (wrong) errors['schedule'] = [wrong]
  if (intent === 'NEEDS_APPROVAL' && workflowId === undefined)
    errors['workflowId'] = ['Please select a workflow before sending for approval.']
  if (Object.keys(errors).length > 0) throw fail('BAD_INPUT', { errors })
}

function wrongSchedule(intent: Submission['body']['intent'], schedule: Schedule): string | undefined {
  if (intent === 'PUBLISH' && schedule.type !== 'NOW') return 'Leave out the time to publish now.'
  if (intent === 'SCHEDULE' && schedule.type !== 'ONCE' && !isRecurrence(schedule)) return 'Choose a time.'
  if (intent === 'QUEUE' && schedule.type !== 'QUEUE') return 'Leave out the time: the queue sets it.'
  return intent === 'NEEDS_APPROVAL' && schedule.type === 'DRAFT' ? 'Choose a time.' : undefined
}

/**
 * The channels of a submit, each with its content and times. Throws NOT_FOUND for channels that aren't in `channels`,
 * the ones that the caller can see, and whatever the times throw.
 */
export function channelSubmissionsOf(c: Submission, channels: ReadonlyMap<string, ChannelRow>): ChannelSubmission[] {
  const { intent, schedule: shared, hashTags = [], previewed } = c.body
  const problems: Record<string, PostProblem[]> = {}
  for (const [i, { channelId }] of c.body.channels.entries())
    if (!channels.has(channelId)) problems[`channels.${i}.channelId`] = [problem('channel-unknown')]
  if (Object.keys(problems).length > 0)
    throw fail('NOT_FOUND', {
      detail: "One of these channels doesn't exist, or you don't have access to it.",
      problems,
    })

  // the shared times are computed once
  const plan = planFor(c, shared, '')
  if (previewed && plan.kind === 'times' && plan.recurrence) mustBeAsShown(previewed, plan.times, c.now)
  return c.body.channels.flatMap((composed, i) => {
    const channel = channels.get(composed.channelId)
    const at = `channels.${i}.`
    return channel
      ? [
          partOf(composed, channel, {
            at,
            hashTags: intent === 'DRAFT' ? [] : hashTags,
            plan: composed.schedule ? planFor(c, composed.schedule, at) : plan,
            asked: composed.schedule ?? shared,
          }),
        ]
      : []
  })
}

function partOf(
  {
    postType,
    contents,
    additionalDetails: { linkFacts: _theirs, ...details } = {},
    firstComment = '',
    mentions = [],
  }: ComposedChannel,
  channel: ChannelRow,
  { at, hashTags, plan, asked }: { at: string; hashTags: readonly string[]; plan: Plan; asked: Schedule },
): ChannelSubmission {
  return {
    channel,
    postType,
    contents: withHashTags(contents, hashTags),
    details,
    firstComment,
    mentions,
    at,
    plan,
    asked,
    posts: postsOf(plan),
  }
}

function postsOf(plan: Plan): NewPost[] {
  if (plan.kind !== 'times')
    return [{ postId: randomUUIDv7(), time: plan.kind === 'draft' ? plan.time : queueTime(plan), series: null }]
  const seriesId = plan.recurrence ? randomUUIDv7() : undefined
  return plan.times.map((time, index) => ({
    postId: randomUUIDv7(),
    time,
    series: seriesId === undefined ? null : { seriesId, index, count: plan.times.length },
  }))
}

// its slot gives it a time; until then it has none
const queueTime = ({ position, zone }: { position: QueuePosition; zone: string }): PlannedTime => ({
  schedule: { type: 'QUEUE', details: { position } },
  dueAt: new Date(0),
  wallTime: null,
  zone,
})

function planFor(c: Submission, schedule: Schedule, at: string): Plan {
  const { zone } = c.project
  if (c.body.intent === 'DRAFT' || schedule.type === 'DRAFT') {
    // a draft can be planned for any time, even a past one
    const planned = wishedTime(schedule, zone)
    return {
      kind: 'draft',
      schedule,
      time: {
        schedule: { type: 'DRAFT' },
        dueAt: planned?.dueAt ?? c.now,
        wallTime: planned?.wallTime ?? null,
        zone: planned?.zone ?? zone,
      },
    }
  }
  if (schedule.type === 'QUEUE')
    return { kind: 'queue', position: schedule.details?.position ?? c.body.queuePosition ?? 'LAST', zone }
  if (isRecurrence(schedule)) return { kind: 'times', times: planSeries(schedule, c.now, at), recurrence: schedule }
  return { kind: 'times', times: [planTime(schedule, c.now, zone, at)], recurrence: null }
}

/** What the person saw and what is created may only differ by times that have passed in the meantime. */
function mustBeAsShown(previewed: readonly string[], times: readonly PlannedTime[], now: Date): void {
  const shown = new Set(previewed.map((utc) => Date.parse(utc)).filter((at) => at > now.getTime()))
  const made = new Set(times.map(({ dueAt }) => dueAt.getTime()).filter((at) => at > now.getTime()))
  if (shown.size === made.size && [...shown].every((at) => made.has(at))) return
  throw fail('BAD_INPUT', {
    errors: { schedule: ['The times have changed since you saw them. Review them again.'] },
  })
}

/** Adds hashtags that the first text doesn't contain yet to its end. */
function withHashTags(contents: readonly PostContent[], hashTags: readonly string[]): PostContent[] {
  const [first, ...others] = contents
  if (!first) return []
  const words = new Set(first.text.toLowerCase().split(/[\s.,;:!?()]+/u))
  const missing = hashTags.filter((tag) => !words.has(`#${tag.toLowerCase()}`)).map((tag) => `#${tag}`)
  if (missing.length === 0) return [...contents]
  return [
    {
      ...first,
      text: [first.text.trimEnd(), missing.join(' ')].filter(Boolean).join(first.text.includes('\n') ? '\n\n' : ' '),
    },
    ...others,
  ]
}
