import { isZone, QUICK_ZONES } from '#contract/common.ts'
import type { BulkCells, BulkRemark } from '#contract/bulk.ts'
import { isAmbiguous, slashDate, wholeYear, type SlashDate } from '#contract/bulkDates.ts'
import { SCHEDULE } from '#contract/constants.ts'
import { occurrenceAt } from '#contract/series.ts'
import { instantOf, parseWallTime, wallText, type WallTime } from '#contract/time.ts'

/** The time that a row asks for, what is wrong with it, and warnings. */
export type When = { at: Date | null; timezone: string | null; errors: BulkRemark[]; warnings: BulkRemark[] }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const two = (n: number | string) => String(n).padStart(2, '0')

/**
 * Reads a row's date, time and zone as people and spreadsheets write them. An ambiguous date is refused, never guessed.
 * Without a zone, the row's channel has it, `zone`.
 */
export function readWhen(cells: Pick<BulkCells, 'date' | 'time' | 'timezone'>, zone: string, now: Date): When {
  const errors: BulkRemark[] = []
  const say = (column: BulkRemark['column'], message: string) => void errors.push({ column, message })
  const timezone = readZone(cells.timezone, zone)
  if (timezone === null)
    say('timezone', `"${cells.timezone}" isn't a time zone. Use a name such as Europe/Berlin, or IST, CST, EST or PST.`)
  const instant = readInstant(cells)
  if (instant && timezone !== null) return judge(instant, timezone, now)
  const [date, dateTrouble] = readDate(cells.date)
  if (dateTrouble !== undefined) say('date', dateTrouble)
  // a spreadsheet cell that contains both
  const [, dayPart, timePart] =
    cells.time === '' ? (/^(\S+(?:\s+\p{L}+\.?\s+\d{4})?)[T\s]+(\d.*)$/u.exec(cells.date) ?? []) : []
  if (dayPart !== undefined && timePart !== undefined)
    return readWhen({ ...cells, date: dayPart, time: timePart }, zone, now)
  const time = readTime(cells.time)
  if (time === undefined)
    say(
      'time',
      cells.time === ''
        ? 'Enter a time, such as 09:30.'
        : `"${cells.time}" isn't a time. Use a format like 09:30 or 9:30 AM.`,
    )
  const wall = date !== undefined && time !== undefined ? parseWallTime(date, time) : undefined
  if (date !== undefined && !parseWallTime(date, '00:00')) say('date', `"${cells.date}" isn't a real date.`)
  if (!wall || timezone === null || errors.length > 0) return { at: null, timezone, errors, warnings: [] }
  return judge(wall, timezone, now)
}

/** A time with Z or an offset, such as 2026-12-24T18:00:00+01:00, in the date's cell or in both: it can be read one way only. */
function readInstant({ date, time }: Pick<BulkCells, 'date' | 'time'>): Date | undefined {
  const [, day, clock, zone] =
    /^(\d{4}-\d{2}-\d{2})[T\s]+(\d{2}:\d{2}(?::\d{2})?)(?:[.,]\d{1,9})?\s*(Z|(?:UTC|GMT)|[+-]\d{2}:?\d{2})$/i.exec(
      `${date} ${time}`.trim(),
    ) ?? []
  if (day === undefined || clock === undefined || zone === undefined || !parseWallTime(day, clock.slice(0, 5)))
    return undefined
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z'
  const at = new Date(`${day}T${clock}${offset}`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

function judge(asked: WallTime | Date, timezone: string, now: Date): When {
  const occurrence = asked instanceof Date ? undefined : occurrenceAt(asked, timezone)
  const at = asked instanceof Date ? asked : instantOf(asked, timezone)
  const late = now.getTime() - at.getTime()
  if (late > SCHEDULE.pastMinutes * 60_000)
    return {
      at: null,
      timezone,
      errors: [{ column: 'date', message: 'This time has passed. Choose a later one.' }],
      warnings: [],
    }
  const warnings: BulkRemark[] = []
  if (late >= 0)
    warnings.push({
      column: 'time',
      message: 'This time has just passed. The post will be published as soon as you confirm.',
    })
  if (occurrence?.shift === 'skipped')
    warnings.push({
      column: 'time',
      message: `Clocks go forward then, so this time doesn't exist. The post will be published at ${wallText(occurrence.wall).slice(11)}.`,
    })
  else if (occurrence?.shift === 'double')
    warnings.push({ column: 'time', message: 'Clocks go back then, so this time comes twice. The first one is used.' })
  return { at, timezone, errors: [], warnings }
}

function readZone(cell: string, zone: string): string | null {
  if (cell === '') return zone
  const quick = Object.entries(QUICK_ZONES).find(([name]) => name === cell.toUpperCase())
  if (quick) return quick[1]
  return isZone(cell) ? cell : null
}

/** A day as 2026-12-01, or why it isn't one. */
function readDate(cell: string): [date: string | undefined, trouble?: string] {
  if (cell === '') return [undefined, 'Enter a date, such as 2026-12-01.']
  const day = cell.replace(/[T\s]+\d{1,2}:.*$/, '')
  const byYear = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(day)
  if (byYear) return [`${byYear[1]}-${two(byYear[2] ?? '')}-${two(byYear[3] ?? '')}`]
  const byName =
    /^(\d{1,2})[\s.-]+(\p{L}{3})\p{L}*\.?,?[\s-]+(\d{4}|\d{2})$/u.exec(day) ??
    swapped(/^(\p{L}{3})\p{L}*\.?\s+(\d{1,2}),?\s+(\d{4})$/u.exec(day))
  const month = byName ? months.indexOf((byName[2] ?? '').toLowerCase()) : -1
  if (byName && month >= 0) return [`${wholeYear(byName[3] ?? '')}-${two(month + 1)}-${two(byName[1] ?? '')}`]
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/.exec(day)
  if (dotted) return [`${wholeYear(dotted[3] ?? '')}-${two(dotted[2] ?? '')}-${two(dotted[1] ?? '')}`]
  const either = slashDate(day)
  if (either) return readEither(day, either)
  return [undefined, `"${cell}" isn't a date. Use the format 2026-12-01.`]
}

/** 31/12/2026 and 12/31/2026 can be read one way only; 01/12/2026 means two different days to two readers. */
function readEither(cell: string, found: SlashDate): [date: string | undefined, trouble?: string] {
  const { day, month } = found.readings
  if (isAmbiguous(found)) return [undefined, `"${cell}" is ambiguous. Use ${month} or ${day}.`]
  const date = day ?? month
  return date === undefined ? [undefined, `"${cell}" isn't a real date.`] : [date]
}

const swapped = (found: RegExpExecArray | null) => found && [found[0], found[2], found[1], found[3]]

/** A time of day as 09:30. */
function readTime(cell: string): string | undefined {
  const found =
    /^(\d{1,2}):(\d{2})(?::\d{2}(?:\.\d+)?)?\s*([ap])?\.?(?:m\.?)?$/i.exec(cell) ??
    /^(\d{1,2})()()\s*([ap])\.?m\.?$/i.exec(cell)
  if (!found) return undefined
  const half = (found[4] ?? found[3] ?? '').toLowerCase()
  const [hour, minute] = [Number(found[1]), Number(found[2] || 0)]
  if (minute > 59 || hour > 23) return undefined
  if (half === '') return `${two(hour)}:${two(minute)}`
  if (hour < 1 || hour > 12) return undefined
  return `${two((hour % 12) + (half === 'p' ? 12 : 0))}:${two(minute)}`
}
