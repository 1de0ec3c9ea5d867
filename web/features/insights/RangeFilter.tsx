import { INSIGHTS_MOST_DAYS } from '#contract/analytics/filter.ts'
import { addDays, type Day } from '#web/lib/dates.ts'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import {
  comparedSpan,
  insightsRanges,
  spanOf,
  spanText,
  type InsightsFilters,
  type InsightsRangeKey,
  type Span,
  type WrongFilter,
} from './insightsSearch.ts'
import { useCountedDays } from './useCountedDays.ts'
import { useToday } from './useToday.ts'

const rangeNames: Record<InsightsRangeKey, string> = {
  '7': 'Last 7 days',
  '28': 'Last 28 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  month: 'Last month',
  custom: 'Custom',
}

type Props = {
  value: InsightsFilters
  onChange: (change: InsightsFilters) => void
  monthly: boolean
  compares: boolean
  /** Marked, to be corrected. */
  wrong: readonly WrongFilter['filter'][]
}

/** A filter that has to be corrected. */
export const wrongClass = 'border-bad! bg-bad-soft!'

/** The days, and those that they are compared with. */
export function RangeFilter({ value, onChange, monthly, compares, wrong }: Props) {
  const today = useToday()
  const span = spanOf(value, today)
  const compared = comparedSpan(value, today)
  const range = value.range ?? '7'
  const counted = useCountedDays()
  const offered = insightsRanges.filter(
    (one) =>
      one === range ||
      // campaigns run for months; 28 days would only be beside 30 where a platform doesn't count them together
      ((one !== '7' || !monthly) && (one !== '28' || counted.includes(28))),
  )
  const compare = value.compare ?? 'before'
  return (
    <>
      <Popover
        label="Days"
        className="w-72"
        trigger={
          <FilterChip on opens className={wrong.includes('days') ? wrongClass : ''}>
            {range === 'custom' ? spanText(span) : rangeNames[range]}
          </FilterChip>
        }
      >
        <div className="grid gap-3">
          <RadioGroup
            label="Days"
            value={range}
            choices={offered.map((one) => ({ value: one, label: rangeNames[one] }))}
            onChange={(next) =>
              onChange(
                next === 'custom'
                  ? { range: next, from: span.from, to: span.to }
                  : { range: next === '7' && !monthly ? undefined : next, from: undefined, to: undefined },
              )
            }
          />
          {range === 'custom' ? (
            <TwoDays span={span} last={today} onChange={({ from, to }) => onChange({ from, to })} />
          ) : (
            <p className="tnum text-sm text-ink-muted">{spanText(span)}</p>
          )}
        </div>
      </Popover>
      {compares ? (
        <Popover
          label="Compare with"
          className="w-72"
          trigger={
            <FilterChip on={compare !== 'off'} opens className={wrong.includes('compare') ? wrongClass : ''}>
              {compared ? `vs. ${spanText(compared)}` : 'No comparison'}
            </FilterChip>
          }
        >
          <div className="grid gap-3">
            <RadioGroup
              label="Compare with"
              value={compare}
              choices={[
                { value: 'before', label: 'The days before' },
                { value: 'year', label: 'The same days a year ago' },
                { value: 'custom', label: 'Custom' },
                { value: 'off', label: 'Nothing' },
              ]}
              onChange={(next) =>
                onChange({
                  compare: next === 'before' ? undefined : next,
                  compareFrom: next === 'custom' ? compared?.from : undefined,
                  compareTo: next === 'custom' ? compared?.to : undefined,
                })
              }
            />
            {compare === 'custom' && compared ? (
              <TwoDays
                span={compared}
                last={today}
                onChange={({ from, to }) => onChange({ compareFrom: from, compareTo: to })}
              />
            ) : null}
          </div>
        </Popover>
      ) : null}
    </>
  )
}

/** The first and the last day, at most two years apart. */
function TwoDays({ span: { from, to }, last, onChange }: { span: Span; last: Day; onChange: (span: Span) => void }) {
  return (
    <>
      <Field label="From">
        <DatePicker
          label="From"
          value={from}
          min={addDays(to, 1 - INSIGHTS_MOST_DAYS)}
          max={to}
          today={last}
          onChange={(day) => onChange({ from: day, to })}
        />
      </Field>
      <Field label="To">
        <DatePicker
          label="To"
          value={to}
          min={from}
          max={last}
          today={last}
          onChange={(day) => onChange({ from, to: day })}
        />
      </Field>
    </>
  )
}
