import type { Campaign } from '#contract/campaigns.ts'
import { dayText } from '#web/lib/dates.ts'
import type { Tone } from '#web/ui/tones.ts'

/** The status of a campaign, the most important first: archived, disabled, completed or active. */
export function standingOf({ state, completedAt, enabled }: Pick<Campaign, 'state' | 'completedAt' | 'enabled'>): {
  word: string
  tone: Tone
} {
  if (state === 'ARCHIVED') return { word: 'Archived', tone: 'neutral' }
  if (!enabled) return { word: 'Disabled', tone: 'wait' }
  return completedAt ? { word: 'Completed', tone: 'info' } : { word: 'Active', tone: 'ok' }
}

/** "01 Nov 2026 to 30 Nov 2026", or what is known. */
export function datesOf({ startsOn, endsOn }: Pick<Campaign, 'startsOn' | 'endsOn'>): string | undefined {
  if (startsOn && endsOn) return `${dayText(startsOn)} to ${dayText(endsOn)}`
  if (startsOn) return `From ${dayText(startsOn)}`
  return endsOn ? `Until ${dayText(endsOn)}` : undefined
}
