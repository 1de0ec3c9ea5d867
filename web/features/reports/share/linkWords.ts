import type { linkTroubles, ReportLink } from '#contract/reports/links.ts'
import { agoOf, dateOf, timeOf } from '#web/lib/format.ts'

/** Why a link shows nothing, and what helps. */
export const linkTroubleText = (name: string, trouble: (typeof linkTroubles)[number]): string =>
  trouble === 'plan'
    ? "It shows nothing: your plan doesn't include reports now."
    : `It shows nothing: ${name} can't see this report anymore. Create a link of your own.`

export const expiryText = (expiresAt: string, zone: string): string =>
  `Works until ${dateOf(expiresAt, zone)}, ${timeOf(expiresAt, zone)}`

export const openedText = ({ lastOpenedAt }: Pick<ReportLink, 'lastOpenedAt'>, now: Date, zone: string): string =>
  lastOpenedAt === null ? 'Not opened yet' : `Last opened ${agoOf(lastOpenedAt, now, zone)}`

/** How long a link can work, in days. */
export const linkDays = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const
