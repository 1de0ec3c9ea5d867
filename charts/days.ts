import { dateText } from '#contract/format.ts'

/** "15 Nov" of a day. */
export const shortDay = (day: string): string => dateOf(day).slice(0, 6)
/** "15 Nov 2026" */
export const dateOf = (day: string): string => dateText(new Date(`${day}T00:00:00Z`), 'UTC')
