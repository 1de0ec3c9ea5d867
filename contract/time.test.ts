import { describe, expect, it } from 'vitest'
import { instantOf, offsetMinutes, parseWallTime, wallText, wallTimeOf, type WallTime } from './time.ts'

const zones = Intl.supportedValuesOf('timeZone')
const FROM = Temporal.Instant.from('2024-01-01T00:00:00Z')
const TO = Temporal.Instant.from('2031-01-01T00:00:00Z')

/** By Temporal's "compatible": a skipped time moves forward by the gap, a repeated one is the first occurrence. */
const expected = (wall: WallTime, zone: string) =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds

/** Every clock change of the zone in these years. */
function changesOf(zone: string): Temporal.ZonedDateTime[] {
  const found: Temporal.ZonedDateTime[] = []
  for (
    let at = FROM.toZonedDateTimeISO(zone).getTimeZoneTransition('next');
    at && Temporal.Instant.compare(at.toInstant(), TO) < 0;
    at = at.getTimeZoneTransition('next')
  )
    found.push(at)
  return found
}

/** Minutes around a change: before, within the gap or the repeated stretch, at its edges, after. */
const AROUND = [
  -1500, -181, -121, -120, -61, -60, -59, -31, -30, -29, -1, 0, 1, 29, 30, 31, 45, 59, 60, 61, 90, 119, 120, 121, 180,
  1500,
] as const

describe('wall times in every zone, around every clock change from 2024 to 2030', () => {
  it('are the instants that Temporal says', () => {
    const wrong: string[] = []
    let checked = 0
    for (const zone of zones) {
      for (const change of changesOf(zone)) {
        const edge = change.toPlainDateTime().round('minute')
        for (const minutes of AROUND) {
          const { year, month, day, hour, minute } = edge.add({ minutes })
          const wall = { year, month, day, hour, minute }
          checked += 1
          if (instantOf(wall, zone).getTime() !== expected(wall, zone)) wrong.push(`${zone} ${wallText(wall)}`)
        }
      }
    }
    expect(wrong).toEqual([])
    // some 100 zones still change their clocks, twice a year
    expect(checked).toBeGreaterThan(20_000)
  })

  it('are read back from any instant, unless the clock shows that time for the second time', () => {
    const wrong: string[] = []
    // a fixed seed: the same instants in every run
    let seed = 20_261_121
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    for (const zone of zones) {
      for (let n = 0; n < 12; n++) {
        const instant = new Date(
          Math.floor((FROM.epochMilliseconds + random() * (TO.epochMilliseconds - FROM.epochMilliseconds)) / 60_000) *
            60_000,
        )
        const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone)
        const { year, month, day, hour, minute } = zoned
        const wall = wallTimeOf(instant, zone)
        const isSecond = expected(wall, zone) !== instant.getTime()
        if (wallText(wall) !== wallText({ year, month, day, hour, minute }))
          wrong.push(`${zone} ${instant.toISOString()} shows ${wallText(wall)}`)
        if (offsetMinutes(instant, zone) !== zoned.offsetNanoseconds / 60e9)
          wrong.push(`${zone} ${instant.toISOString()} offset`)
        if (!isSecond && instantOf(wall, zone).getTime() !== instant.getTime())
          wrong.push(`${zone} ${instant.toISOString()}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('the rules in words', () => {
  const wall = (text: string): WallTime => {
    const [date = '', time = ''] = text.split('T')
    const parsed = parseWallTime(date, time)
    if (!parsed) throw new Error(text)
    return parsed
  }
  it.each([
    ['a skipped time moves on by the gap', '2026-03-29T01:30', 'Europe/London', '2026-03-29T01:30:00.000Z'],
    ['a double time is its first', '2026-10-25T01:30', 'Europe/London', '2026-10-25T00:30:00.000Z'],
    ['a gap of half an hour', '2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z'],
    ['a zone of quarters', '2026-11-20T09:00', 'Asia/Kathmandu', '2026-11-20T03:15:00.000Z'],
    ['the other side of the date line', '2026-11-20T09:00', 'Pacific/Kiritimati', '2026-11-19T19:00:00.000Z'],
  ])('%s', (_, text, zone, instant) => {
    expect(instantOf(wall(text), zone).toISOString()).toBe(instant)
  })
})

describe('a wall time as text', () => {
  it('is read and written', () => {
    expect(parseWallTime('2026-11-20', '09:30')).toEqual({ year: 2026, month: 11, day: 20, hour: 9, minute: 30 })
    expect(wallText({ year: 2026, month: 1, day: 2, hour: 3, minute: 4 })).toBe('2026-01-02T03:04')
  })

  it.each([
    ['2026-02-30', '09:30'],
    ['2026-13-01', '09:30'],
    ['2026-1-1', '09:30'],
    ['2026-11-20', '24:00'],
    ['2026-11-20', '9:30'],
    ['2026-11-20', ''],
    ['', '09:30'],
  ])('%s %s is none', (date, time) => {
    expect(parseWallTime(date, time)).toBeUndefined()
  })
})
