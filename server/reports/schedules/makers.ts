import type { InsightsRange } from '#contract/analytics/filter.ts'

/** For whom a report is made, and as of which day: `today` is the day after its last one, in the project's zone. */
export type MakeOrder = {
  orgId: string
  projectId: string
  reportId: string
  /** Whose rights decide what it shows. */
  personId: string
  today: string
  now: Date
}
export type MadeReport = {
  pdf: Buffer
  pages: number
  range: Pick<InsightsRange, 'from' | 'to'>
  reportName: string
  /** Names of channels whose figures aren't final. */
  notFinal: readonly string[]
}
/**
 * - `owner`, `gone`: this person can't see the report now, or it doesn't exist
 * - `plan`: the plan has no analytics now
 * - `tooLarge`, `tooSlow`: the document couldn't be made within its limits
 */
export type MakeRefusal = { refused: 'owner' | 'plan' | 'gone' | 'tooLarge' | 'tooSlow' }

/** What schedules need to make reports; all throw for what is worth another try. */
export type ReportMakers = {
  make: (order: MakeOrder) => Promise<MadeReport | MakeRefusal>
  /** Names of channels of the report whose figures of its days aren't final yet. */
  notFinal: (order: MakeOrder) => Promise<readonly string[]>
  /** Has texts written again that AI wrote and that are due for these days, as the person may. */
  renew: (order: MakeOrder) => Promise<void>
}
