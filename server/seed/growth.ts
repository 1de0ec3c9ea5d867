import { definitionOf, type FigureName } from '#contract/analytics/catalog/names.ts'
import { campaigns } from './content.ts'

/* How figures of the seed grow over two years, and what its days have together. */

const DAY = 24 * 3_600_000
/** A campaign's first days, in which it's noticed. */
const HUMP_DAYS = 10

/** How many different people the last days reached, of which more and more come back; null of other figures. */
export function windowOf(name: FigureName, reach: readonly number[]): number | null {
  const { window } = definitionOf(name)
  if (!window || reach.length < window.days) return null
  const days = reach.slice(-window.days)
  const most = Math.max(...days)
  return most + Math.round(((days.reduce((sum, value) => sum + value, 0) - most) * 2) / (3 + window.days / 4))
}

/** So many days from now; negative ones are past. */
export const dayOf = (now: Date, back: number): Date => new Date(now.getTime() + back * DAY)
/** A day as YYYY-MM-DD. */
export const isoDay = (date: Date): string => date.toISOString().slice(0, 10)

/** Everything grows by a fifth in a year, winters are a bit stronger, and weeks are better and worse. */
export function growthAt(date: Date, now: Date): number {
  const years = (now.getTime() - date.getTime()) / (365 * DAY)
  const season = 1 + 0.02 * Math.cos((2 * Math.PI * (date.getTime() / DAY - 15)) / 365)
  const wave = 1 + 0.03 * Math.sin((2 * Math.PI * date.getTime()) / (23 * DAY))
  return season * wave * 0.83 ** years
}

/** Campaigns are seen more in their first days, up to a fifth. */
export function campaignAt(date: Date, now: Date): number {
  const back = Math.round((date.getTime() - now.getTime()) / DAY)
  const more = campaigns.map(({ from }) => {
    const day = back - from
    return day < 0 || day >= HUMP_DAYS ? 0 : 0.2 * Math.sin((Math.PI * (day + 0.5)) / HUMP_DAYS)
  })
  return 1 + Math.max(...more)
}
