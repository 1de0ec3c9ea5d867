import { adviceFor } from '#contract/failures/catalog.ts'
import type { Post, TimelineEntry } from '#contract/posts.ts'
import { dayAndTimeOf, weekdayAndTimeOf } from '#web/lib/format.ts'
import { isOnItsWay, isWithoutSlot } from '#web/lib/shownTime.ts'
import type { TimelineItem } from '#web/ui/Timeline.tsx'

type Words = (by: string, entry: TimelineEntry, when: (instant: string) => string, platform: string) => string

const words: Record<TimelineEntry['kind'], Words> = {
  created: (by) => `Created${by}`,
  scheduled: (by, entry, when) => `Scheduled${by}${entry.dueAt ? ` for ${when(entry.dueAt)}` : ''}`,
  queued: (by, entry, when) => `Queued${by}${entry.dueAt ? ` for ${when(entry.dueAt)}` : ''}`,
  sent_for_approval: (by) => `Sent for approval${by}`,
  approved: (by) => `Approved${by}`,
  rejected: (by) => `Rejected${by}`,
  rescheduled: (by, entry, when) => `Moved${by}${entry.dueAt ? ` to ${when(entry.dueAt)}` : ''}`,
  sent_now: (by) => `Sent now${by}`,
  edited: (by) => `Edited${by}`,
  labeled: (by) => `Labels changed${by}`,
  ai: (by) => `Written with AI${by}`,
  due: () => 'Publishing started',
  sent: (_by, _entry, _when, platform) => `Sent to ${platform}`,
  confirmed: (_by, _entry, _when, platform) => `Confirmed by ${platform}`,
  failed: () => 'Failed to publish post',
  waiting: () => "Couldn't be published yet",
  unconfirmed: (_by, _entry, _when, platform) => `${platform} didn't confirm`,
  settled: (by) => `Resolved${by}`,
  retried: (by) => `Sent again${by}`,
  paused: () => 'Paused with its channel',
  drafted: (by) => `Moved to drafts${by}`,
  deleted: (by) => `Deleted${by}`,
}
const looks: Partial<Record<TimelineEntry['kind'], TimelineItem['state']>> = {
  failed: 'failed',
  waiting: 'note',
  unconfirmed: 'note',
  paused: 'note',
}

type Told = Pick<Post, 'status' | 'failure' | 'dueAt' | 'timeline'>

/** The post's history as text, and its next step. Times in the zone. */
export function timelineOf(post: Told, zone: string, platform: string, now: Date): TimelineItem[] {
  const when = (instant: string) => dayAndTimeOf(instant, zone)
  const items: TimelineItem[] = post.timeline.map((entry, i) => ({
    key: `${i}-${entry.kind}`,
    state: lookOf(entry.kind),
    text: wordsOf(entry, when, platform),
    ...(entry.note ? { detail: entry.note } : {}),
    time: weekdayAndTimeOf(entry.at, zone),
    at: entry.at,
  }))
  const next = stillToCome(post, when, platform, now)
  return next ? [...items, { key: 'next', state: 'next', text: next }] : items
}

export const lookOf = (kind: TimelineEntry['kind']): TimelineItem['state'] => looks[kind] ?? 'done'

/** What happened in a few words, with the person. */
export function wordsOf(entry: TimelineEntry, when: (instant: string) => string, platform: string): string {
  return words[entry.kind](entry.by ? ` by ${entry.by}` : '', entry, when, platform)
}

function stillToCome(post: Told, when: (instant: string) => string, platform: string, now: Date): string | undefined {
  if (isOnItsWay(post, now)) return `On its way to ${platform}. This can take a few minutes`
  if (isWithoutSlot(post)) return 'Waiting for a free slot in its queue'
  if (post.status === 'PROCESSING') return `Waiting for ${platform} to confirm`
  if (post.status === 'UNCONFIRMED')
    return (post.failure && adviceFor(post.failure)) ?? 'Checking the account to find out'
  // what could continue automatically did so when it was approved
  if (post.status === 'APPROVED') return 'Waiting for someone to choose a time or publish it'
  const waits = post.status === 'SCHEDULED' || post.status === 'QUEUED'
  if (waits && post.failure) return 'Will be published once this is fixed'
  return waits && post.dueAt ? `Will be published ${when(post.dueAt)}` : undefined
}
