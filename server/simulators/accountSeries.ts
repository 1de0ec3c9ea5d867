import { graphRefusal, graphTime } from './graphParts.ts'
import type { Call, Reply } from './world.ts'

/*
 * Figures of simulated accounts by day, as platforms tell them: nothing of days that aren't processed yet, a day without values now
 * and then, and values of the last days that are corrected later.
 */
const DAY = 86_400_000

export type SeriesRules = {
  /** Nothing is told of days that ended less than so many hours ago. */
  delayHours: number
  /** Values of younger days are corrected once more. */
  finalHours: number
}

/** The days from one to another, both included, as YYYY-MM-DD. */
export function daysBetween(from: string, to: string): string[] {
  const days = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY) days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

/** The value of a day; null where the platform tells none. The same at every call, until it is corrected. */
export function valueOfDay(
  { account, name, day, about }: { account: string; name: string; day: string; about: number },
  now: number,
  { delayHours, finalHours }: SeriesRules,
): number | null {
  const age = now - (Date.parse(day) + DAY)
  if (age < delayHours * 3_600_000) return null
  const seed = hash(`${account} ${name} ${day}`)
  // a day without values about twice a year
  if (hash(`${account} ${day}`) % 180 === 0) return null
  const weekday = [0.7, 1, 1.1, 1.1, 1.1, 1, 0.8][new Date(day).getUTCDay()] ?? 1
  const value = Math.round(about * weekday * (0.8 + (seed % 400) / 1000))
  return age < finalHours * 3_600_000 ? Math.floor(value * 0.95) : value
}

/** A total, or that of follows and unfollows by the kind of follow. */
function totalOf(value: number, breakdown: string) {
  if (!breakdown) return { value }
  const results = [
    { dimension_values: ['FOLLOWER'], value },
    { dimension_values: ['NON_FOLLOWER'], value: Math.floor(value / 3) },
  ]
  return { value, breakdowns: [{ dimension_keys: [breakdown], results }] }
}

/** Who follows a Meta account, by the breakdown that was asked for. */
export const demographics = (call: Call): Reply => {
  const groups: Record<string, string[]> = {
    age: ['18-24', '25-34', '35-44', '45-54'],
    gender: ['F', 'M', 'U'],
    country: ['DE', 'AT', 'US'],
    city: ['Berlin, Berlin', 'Hamburg, Hamburg'],
  }
  const results = (groups[call.text('breakdown')] ?? []).map((name, i) => ({
    dimension_values: [name],
    value: 200 >> i,
  }))
  return {
    json: {
      data: [
        {
          name: 'follower_demographics',
          period: 'lifetime',
          total_value: { breakdowns: [{ dimension_keys: [call.text('breakdown')], results }] },
        },
      ],
    },
  }
}

/** How many follow the account on a day: a little more each. */
export const followersAt = (account: string, at: number): number =>
  200 + (hash(account) % 900) + Math.max(0, Math.floor((at - Date.UTC(2026, 0, 1)) / DAY)) * 2

/** What counts each person once, however often they come back. */
const uniques: ReadonlySet<string> = new Set(['reach', 'accounts_engaged', 'page_total_media_view_unique'])
/** How many different people these days have: fewer than the days together, and at least as many as the largest of them. */
function peopleIn(days: readonly number[]): number {
  const most = Math.max(0, ...days)
  return most + Math.round((days.reduce((sum, value) => sum + value, 0) - most) * 0.45)
}
/** How many days a value covers, by the period that Facebook is asked for. */
const windows: Record<string, number | undefined> = { week: 7, days_28: 28 }

/** Totals of one of Meta's days or, where `by` is `time`, its values by day, in the insights form. An unknown name fails the whole call. */
export function accountInsights(
  call: Call,
  account: string,
  known: Record<string, number>,
  by: 'time' | 'total',
): Reply {
  const names = call.text('metric').split(',').filter(Boolean)
  const wrong = names.filter((name) => known[name] === undefined && name !== 'followers_count')
  if (wrong.length > 0 || names.length === 0)
    return graphRefusal('request', `The value must be a valid insights metric: ${wrong.join(', ') || 'none given'}`)
  const [since, until] = [call.text('since'), call.text('until')]
  // seconds since 1970, or days; the end isn't included
  const dayOf = (text: string) => (/^\d+$/.test(text) ? new Date(Number(text) * 1000).toISOString().slice(0, 10) : text)
  const days = since && until ? daysBetween(dayOf(since), dayOf(until)).slice(0, -1) : []
  const rules = { delayHours: 24, finalHours: 48 }
  const valueOn = (name: string, day: string) =>
    name === 'page_follows'
      ? followersAt(account, Date.parse(day))
      : valueOfDay({ account, name, day, about: known[name] ?? 0 }, call.now, rules)
  const together = (name: string, of: readonly string[]) => {
    const values = of.flatMap((day) => valueOn(name, day) ?? [])
    return uniques.has(name) ? peopleIn(values) : values.reduce((sum, value) => sum + value, 0)
  }
  // by week or 28 days, each day has what the days that end with it have together; followers are only told by day
  const window = windows[call.text('period')]
  const valueOf = (name: string, day: string) => {
    const own = valueOn(name, day)
    if (window === undefined || own === null) return own
    const first = new Date(Date.parse(day) - (window - 1) * DAY).toISOString().slice(0, 10)
    return name === 'page_follows' ? null : together(name, daysBetween(first, day))
  }
  return {
    json: {
      data: names.map((name) => {
        if (name === 'followers_count')
          return { name, period: 'day', total_value: { value: followersAt(account, call.now) } }
        const values = days.flatMap((day) => {
          const value = valueOf(name, day)
          return value === null ? [] : [{ day, value }]
        })
        return by === 'time'
          ? {
              name,
              period: call.text('period'),
              values: values.map(({ day, value }) => ({
                value,
                end_time: graphTime(Date.parse(day) + DAY + 8 * 3_600_000),
              })),
            }
          : {
              name,
              period: 'day',
              // nothing to tell is an empty set
              ...(values.length > 0 && {
                total_value: totalOf(together(name, days), call.text('breakdown')),
              }),
            }
      }),
    },
  }
}

function hash(text: string): number {
  let value = 2_166_136_261
  for (let i = 0; i < text.length; i += 1) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619) >>> 0
  return value
}
