import { spanText } from '#contract/days.ts'
import { daysOfReport, reportSpans, type ReportDays } from '#contract/reports/range.ts'
import { addDays, wallOf } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { compareWords, daysText, spanWords } from '../dayWords.ts'
import { useEditor } from './EditorContext.ts'

/** Which days the report covers, and what they're compared with. */
export function DaysFilter() {
  const { state, dispatch, problems } = useEditor()
  const today = wallOf(useNow(), useProjectZone()).day
  const { days } = state.edited.content
  const range = daysOfReport(days, today)
  const put = (next: ReportDays) => dispatch({ type: 'contentChanged', part: { days: next } })
  const wrong = problems.get('days.from') ?? problems.get('days.to')
  const yesterday = addDays(today, -1)
  return (
    <Popover
      label="Days of the report"
      className="w-72"
      trigger={
        <FilterChip on opens className={wrong ? 'border-bad! bg-bad-soft!' : ''}>
          <span className="tnum truncate">
            {daysText(days, range)}
            {range.compare ? (days.compare === 'year' ? ' vs. a year earlier' : ' vs. before') : ''}
          </span>
        </FilterChip>
      }
    >
      <div className="grid gap-4">
        <RadioGroup
          label="Days"
          value={days.span}
          onChange={(span) =>
            put(
              span === 'custom'
                ? { span, from: range.from, to: range.to, compare: days.compare }
                : { span, compare: days.compare },
            )
          }
          choices={reportSpans.map((value) => ({
            value,
            label: spanWords[value],
            ...(value === 'custom'
              ? {}
              : {
                  hint: <span className="tnum">{spanText(daysOfReport({ span: value, compare: 'off' }, today))}</span>,
                }),
          }))}
        />
        {days.span === 'custom' ? (
          <div className="grid gap-3">
            <Field label="First day" error={problems.get('days.from')}>
              <DatePicker
                label="First day"
                value={days.from}
                max={yesterday}
                today={today}
                onChange={(from) => put({ ...days, from })}
              />
            </Field>
            <Field label="Last day" error={problems.get('days.to')}>
              <DatePicker
                label="Last day"
                value={days.to}
                max={yesterday}
                today={today}
                onChange={(to) => put({ ...days, to })}
              />
            </Field>
          </div>
        ) : (
          <p className="text-sm text-pretty text-ink-muted">
            The days move on: each time the report is opened or sent, it covers the latest ones that are over.
          </p>
        )}
        <RadioGroup
          label="Compared with"
          value={days.compare}
          onChange={(compare) => put({ ...days, compare })}
          choices={(['before', 'year', 'off'] as const).map((value) => {
            const { compare } = daysOfReport({ ...days, compare: value }, today)
            return {
              value,
              label: compareWords[value],
              ...(compare ? { hint: <span className="tnum">{spanText(compare)}</span> } : {}),
            }
          })}
        />
      </div>
    </Popover>
  )
}
