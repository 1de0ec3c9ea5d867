import type { RangeType } from '#contract/dashboard.ts'

export const rangeOptions = [
  { value: 'today', label: 'Today' },
  { value: 'seven', label: '7 days' },
  { value: 'thirty', label: '30 days' },
] as const satisfies readonly { value: RangeType; label: string }[]

/** "in the last 7 days" */
export const spanWords: Record<RangeType, string> = {
  today: 'today',
  seven: 'in the last 7 days',
  thirty: 'in the last 30 days',
}
/** What a change is compared with. */
export const beforeWords: Record<RangeType, string> = {
  today: 'than yesterday',
  seven: 'than the 7 days before',
  thirty: 'than the 30 days before',
}
