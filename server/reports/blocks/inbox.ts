import { hoursText, waitText } from '#contract/inbox/businessHours.ts'
import { spanText } from '#contract/days.ts'
import { count, percentChange } from '#contract/format.ts'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { valueText } from '#contract/values.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { conversationKinds } from '#contract/inbox/terms.ts'
import { kindsFor, type InboxScope } from '../../inbox/access.ts'
import { readReplyTimes } from '../../inbox/replyTimes.ts'
import { readStats } from '../../inbox/stats.ts'
import type { DocumentFigure } from '../document.ts'
import { nothing, NO_CHANNELS, type Built } from './block.ts'
import { changeText, comparedNote, directionOf } from './figureWords.ts'
import { listed } from './missingNotes.ts'
import type { Reading } from './reading.ts'

type Stats = Awaited<ReturnType<typeof readStats>>
type Times = Awaited<ReturnType<typeof readReplyTimes>>
type Side = { stats: Stats; times: Times }
type Span = { from: string; to: string }

const HEADING = 'Inbox'

/** What was received and answered, how it sounded, and how soon it was answered, as far as the role includes conversations. */
export async function readInbox(reading: Reading): Promise<Built> {
  const { content, range, scope } = reading
  const project = projectOf(reading)
  const kinds = kindsFor(project, 'view')
  if (kinds.length === 0) return nothing(HEADING, "The inbox isn't shown here, because the role doesn't include it.")
  if (scope.channels.length === 0) return nothing(HEADING, NO_CHANNELS)
  const c = { ...reading.c, project }
  const now = await readSide(c, range, scope.apart)
  const before = range.compare ? await readSide(c, range.compare, scope.apart) : undefined
  if (now.stats.received === 0 && now.times.replies === 0 && (before?.stats.received ?? 0) === 0)
    return nothing(HEADING, 'Nothing was received in these days.')
  const figures = inboxFigures(now, before, range)
  return {
    heading: HEADING,
    parts: [{ kind: 'figures', figures }],
    notes: [
      ...comparedNote(figures, range),
      ...inboxNotes(now, {
        kinds,
        isOfPosts: content.campaignId !== null || content.labelId !== null || content.hashtag !== null,
      }),
    ],
  }
}

/** The role's channels that the report covers: all of them unless it's narrowed down. */
function projectOf({ c, content, scope }: Reading): Reading['c']['project'] {
  return content.channelIds === null && content.platforms === null
    ? c.project
    : { ...c.project, channelIds: scope.channels.map(({ channelId }) => channelId) }
}

async function readSide(c: InboxScope, { from, to }: Span, apart: Reading['scope']['apart']): Promise<Side> {
  return {
    stats: await readStats(c, { from, to }, apart),
    // the days before are read on their own: they needn't be next to these
    times: await readReplyTimes(c, { from, to, compareFrom: from, compareTo: from }),
  }
}

/** The figures of the inbox, in the words of the dashboard and of reply times. */
function inboxFigures(now: Side, before: Side | undefined, { compare }: InsightsRange): DocumentFigure[] {
  const counted = (title: string, of: (side: Side) => number, base = 'in these days'): DocumentFigure => {
    const percent = before ? percentChange(of(now), of(before)) : undefined
    const change = percent === undefined ? null : Number(percent)
    const text = changeText({ changePercent: change, changePoints: null })
    return {
      title,
      base,
      value: { text: valueText(of(now)), value: of(now), unit: 'count' },
      change: text,
      direction: directionOf(change),
      changeValue: change,
      note: before && change === null ? 'Nothing to compare' : null,
    }
  }
  const felt = (title: string, of: keyof Stats['sentiment']): DocumentFigure =>
    counted(title, ({ stats }) => stats.sentiment[of], 'conversations of these days')
  const waited = (title: string, of: 'medianMinutes' | 'slowestMinutes'): DocumentFigure => {
    const [minutes, former] = [now.times[of], before?.times[of] ?? null]
    return {
      title,
      base: 'in business hours',
      value: {
        text: minutes === null ? valueText(null) : waitText(minutes),
        value: minutes === null ? null : Math.round(minutes * 60),
        unit: 'seconds',
      },
      change: null,
      direction: null,
      changeValue: null,
      note:
        minutes !== null
          ? former === null || !compare
            ? null
            : `${waitText(former)} from ${spanText(compare)}`
          : now.times.replies === 0
            ? 'No replies in these days'
            : 'No business hours are set',
    }
  }
  return [
    counted('Received', ({ stats }) => stats.received),
    counted('Answered', ({ stats }) => stats.answered, 'of what was received'),
    felt('Positive', 'positive'),
    felt('Neutral', 'neutral'),
    felt('Negative', 'negative'),
    counted('Replies', ({ times }) => times.replies),
    waited('Median reply time', 'medianMinutes'),
    waited('Slowest reply', 'slowestMinutes'),
  ]
}

/** What has to be known of these figures. */
function inboxNotes(
  { stats: { notJudged, apart }, times: { businessHours, timezone } }: Side,
  { kinds, isOfPosts }: { kinds: readonly ConversationKind[]; isOfPosts: boolean },
): string[] {
  const hours = hoursText(businessHours)
  const left = conversationKinds.filter((kind) => !kinds.includes(kind))
  return [
    ...(left.length > 0
      ? [`Without ${listed(left.map((kind) => kindWords[kind]))}, which the role doesn't include.`]
      : []),
    ...(notJudged > 0
      ? [`${count(notJudged, 'conversation')} ${notJudged === 1 ? 'has' : 'have'} no sentiment yet.`]
      : []),
    ...(apart.length > 0
      ? [
          `${apart.map(platformLabel).join(' and ')} ${apart.length === 1 ? "isn't in the sentiment, by its" : "aren't in the sentiment, by their"} terms.`,
        ]
      : []),
    ...(hours === null ? [] : [`Business hours: ${hours} (${timezone.replaceAll('_', ' ')}).`]),
    ...(isOfPosts ? ['Conversations of all posts, whatever campaign, label or hashtag.'] : []),
  ]
}
const kindWords: Record<ConversationKind, string> = {
  message: 'messages',
  comment: 'comments',
  mention: 'mentions',
  review: 'reviews',
}
