import type { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import { HISTORY_DAYS, momentOf, weekdayOf, type Moment } from './moments.ts'
import type { seeded } from './random.ts'
import type { SeededChannel } from './seededProject.ts'

/*
 * On which weekdays channels publish, every week: then a week has the same posts as the week before, a month as many as the month
 * before, and a comparison shows growth and campaigns instead of chance. Weekdays are counted from Sunday, 0, one for each of the
 * platform's channels: the brand's, then those of its shops.
 */

type Weekdays = readonly number[]
/** `weeks`: since how many weeks it has been doing it, if not all the time. */
type Rhythm = { days: Weekdays; hour: number; weeks?: number }

/** What is published from here. */
const ours: Partial<Record<PlatformKey, Rhythm>> = {
  bluesky: { days: [2, 4, 1, 6], hour: 9 },
  facebook: { days: [2, 5, 4], hour: 12 },
  instagram: { days: [5, 2, 0], hour: 18 },
  threads: { days: [4], hour: 10 },
  linkedin: { days: [2, 3, 4], hour: 8 },
  x: { days: [1], hour: 13 },
  mastodon: { days: [3], hour: 16 },
  pinterest: { days: [6], hour: 11, weeks: 60 },
  tiktok: { days: [5], hour: 19, weeks: 70 },
  googlemybusiness: { days: [1], hour: 8, weeks: 40 },
}

/** What people publish in the platform's own app. */
const elsewhere: Partial<Record<PlatformKey, readonly (Rhythm & { postType: PostType })[]>> = {
  instagram: [
    { postType: 'story', days: [6, 1, 3], hour: 9 },
    { postType: 'reel', days: [3, 5, 4], hour: 17 },
  ],
  youtube: [
    { postType: 'video', days: [3], hour: 17 },
    { postType: 'shorts', days: [6], hour: 11 },
  ],
}

export type Planned = { channel: SeededChannel; moment: Moment }

/** The posts of that day from here, each up to two hours after its channel's usual time. */
export const planOf = (
  channels: readonly SeededChannel[],
  { now, day, zone }: { now: Date; day: number; zone: string },
  random: ReturnType<typeof seeded>,
): Planned[] =>
  channels.flatMap((channel) => {
    const rhythm = ours[channel.platform]
    const isDay = rhythm && isOn(rhythm, { channels, channel, now, day })
    if (!isDay) return []
    const moment = momentOf(now, day, rhythm.hour + random.below(2), 15 * random.below(4), zone)
    return channel.lostAt !== undefined && moment.dueAt >= channel.lostAt ? [] : [{ channel, moment }]
  })

/** The posts of two years that were published elsewhere. */
export const planOfElsewhere = (
  channels: readonly SeededChannel[],
  { now, zone }: { now: Date; zone: string },
  random: ReturnType<typeof seeded>,
): (Planned & { postType: PostType })[] =>
  Array.from({ length: HISTORY_DAYS + 1 }, (_, back) => back - HISTORY_DAYS).flatMap((day) =>
    channels.flatMap((channel) =>
      (elsewhere[channel.platform] ?? []).flatMap((rhythm) => {
        if (!isOn(rhythm, { channels, channel, now, day })) return []
        const moment = momentOf(now, day, rhythm.hour + random.below(2), random.below(60), zone)
        const isOver = moment.dueAt > now || (channel.lostAt !== undefined && moment.dueAt >= channel.lostAt)
        return isOver ? [] : [{ channel, moment, postType: rhythm.postType }]
      }),
    ),
  )

function isOn(
  { days, weeks }: Rhythm,
  of: { channels: readonly SeededChannel[]; channel: SeededChannel; now: Date; day: number },
): boolean {
  const { channels, channel, now, day } = of
  const place = channels.filter(({ platform }) => platform === channel.platform).indexOf(channel)
  return days[place % days.length] === weekdayOf(now, day) && (weeks === undefined || day >= -7 * weeks)
}
