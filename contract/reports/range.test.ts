import { describe, expect, it } from 'vitest'
import { daysOfReport, ReportDays } from './range.ts'

const of = (span: ReportDays['span'], today: string, compare: ReportDays['compare'] = 'before') =>
  daysOfReport({ span, compare }, today)
const days = (from: string, to: string) => ({ from, to })

describe("a report's days", () => {
  it.for<[ReportDays['span'], string, { from: string; to: string }, { from: string; to: string }]>([
    ['7', '2026-03-01', days('2026-02-22', '2026-02-28'), days('2026-02-15', '2026-02-21')],
    ['30', '2026-03-31', days('2026-03-01', '2026-03-30'), days('2026-01-30', '2026-02-28')],
    ['90', '2024-03-01', days('2023-12-02', '2024-02-29'), days('2023-09-03', '2023-12-01')],
    // Monday to Sunday, on a Monday, a Wednesday and a Sunday
    ['week', '2026-11-30', days('2026-11-23', '2026-11-29'), days('2026-11-16', '2026-11-22')],
    ['week', '2026-12-02', days('2026-11-23', '2026-11-29'), days('2026-11-16', '2026-11-22')],
    ['week', '2026-11-29', days('2026-11-16', '2026-11-22'), days('2026-11-09', '2026-11-15')],
    ['month', '2026-03-01', days('2026-02-01', '2026-02-28'), days('2026-01-01', '2026-01-31')],
    ['month', '2026-01-15', days('2025-12-01', '2025-12-31'), days('2025-11-01', '2025-11-30')],
    ['quarter', '2026-01-01', days('2025-10-01', '2025-12-31'), days('2025-07-01', '2025-09-30')],
    ['quarter', '2026-06-30', days('2026-01-01', '2026-03-31'), days('2025-10-01', '2025-12-31')],
  ])('%s on %s end before it', ([span, today, range, compare]) => {
    expect(of(span, today)).toEqual({ ...range, compare })
    expect(of(span, today, 'off')).toEqual({ ...range, compare: null })
  })

  it('are compared with those of last year, whole months with whole months', () => {
    expect(of('month', '2024-03-10', 'year')).toMatchObject({
      from: '2024-02-01',
      to: '2024-02-29',
      compare: days('2023-02-01', '2023-02-28'),
    })
    expect(of('month', '2025-03-10', 'year').compare).toEqual(days('2024-02-01', '2024-02-29'))
    expect(of('7', '2024-03-01', 'year')).toMatchObject({ to: '2024-02-29', compare: days('2023-02-23', '2023-02-28') })
  })

  it('are a custom range as it is', () => {
    const custom = { span: 'custom', from: '2026-01-05', to: '2026-01-08', compare: 'before' } as const
    expect(daysOfReport(ReportDays.parse(custom), '2026-11-30')).toEqual({
      ...days('2026-01-05', '2026-01-08'),
      compare: days('2026-01-01', '2026-01-04'),
    })
  })

  it.for([
    [{ span: 'custom' }, { span: ['Choose the first and the last day'] }],
    [{ span: 'custom', from: '2026-01-05' }, { to: ['The last day is missing'] }],
    [{ span: 'custom', from: '2026-01-05', to: '2026-01-04' }, { to: ['The last day is before the first one'] }],
    [{ span: 'custom', from: '2020-01-01', to: '2026-01-04' }, { to: ['Choose at most 731 days'] }],
    [{ span: 'month', from: '2026-01-05', to: '2026-01-06' }, { span: ['Only a custom range has days of its own'] }],
  ])('are refused at their field: %o', ([wrong, expected]) => {
    const { error } = ReportDays.safeParse(wrong)
    const found = error?.issues.map(({ path, message }) => [path.join('.'), [message]])
    expect(Object.fromEntries(found ?? [])).toEqual(expected)
  })
})
