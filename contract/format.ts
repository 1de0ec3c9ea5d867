/** Formatters of the specification's sections 9. Pure; the zone is always passed, never assumed. */

const STEPS = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'K'],
] as const

/** 999 -> "999", 1500 -> "1.5K", 2_000_000 -> "2M". One decimal at most, truncated rather than rounded up. */
export function shortNumber(value: number): string {
  const size = Math.abs(value)
  for (const [step, letter] of STEPS) {
    if (size >= step) return `${Math.trunc((value / step) * 10) / 10}${letter}`
  }
  return String(value)
}

/** "1 post", "4 posts" */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${value.toLocaleString('en')} ${value === 1 ? one : many}`
}

/** Seconds as mm:ss, or hh:mm:ss from one hour on. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  return h > 0 ? `${two(h)}:${two(m)}:${two(s)}` : `${two(m)}:${two(s)}`
}

/** Seconds with units: "6.8 s", "12 min 5 s", "473 h 32 min". Tenths only below a minute; truncated, not rounded up. */
export function durationText(seconds: number): string {
  const tenths = Math.trunc(Math.max(0, seconds) * 10 + 1e-6)
  if (tenths < 600) return `${tenths / 10} s`
  const whole = Math.floor(tenths / 10)
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
  const [most, least] =
    h > 0 ? [`${h.toLocaleString('en')} h`, m > 0 ? `${m} min` : ''] : [`${m} min`, s > 0 ? `${s} s` : '']
  return [most, least].filter(Boolean).join(' ')
}

/**
 * A wait as people say it: "1 second", "42 seconds", "15 minutes", "3 hours". Rounded up, so that nobody comes back too
 * early.
 */
export function waitText(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds))
  const [amount, unit] =
    whole <= 90
      ? [whole, 'second']
      : whole <= 90 * 60
        ? [Math.ceil(whole / 60), 'minute']
        : [Math.ceil(whole / 3600), 'hour']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** Change in percent with two decimals; undefined if the comparison is zero or not a number. */
export function percentChange(current: number, previous: number): string | undefined {
  if (!Number.isFinite(previous) || previous === 0 || !Number.isFinite(current)) return undefined
  return (((current - previous) / previous) * 100).toFixed(2)
}

// creating a formatter costs a hundred times as much as using it, and lists format thousands of times
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  let formatter = formatters.get(key)
  if (!formatter) formatters.set(key, (formatter = new Intl.DateTimeFormat(locale, options)))
  return formatter
}

const parts = (instant: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  new Map(
    formatterOf('en-GB', { ...options, timeZone })
      .formatToParts(instant)
      .map((p) => [p.type, p.value]),
  )

/** "20 Nov 2026" in the zone (DD MMM YYYY). */
export function dateText(instant: Date, timeZone: string): string {
  const p = parts(instant, timeZone, { day: '2-digit', month: 'short', year: 'numeric' })
  // en-GB writes "Sept"; the specification's MMM has three letters
  return `${p.get('day')} ${p.get('month')?.slice(0, 3)} ${p.get('year')}`
}

/** "09:30 AM" in the zone. */
export function timeText(instant: Date, timeZone: string): string {
  const p = parts(instant, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const hour = Number(p.get('hour'))
  return `${String(((hour + 11) % 12) + 1).padStart(2, '0')}:${p.get('minute')} ${hour < 12 ? 'AM' : 'PM'}`
}

/** "09:30 AM, 20 Nov 2026", as audit entries show their time. */
export function momentText(instant: Date, timeZone: string): string {
  return `${timeText(instant, timeZone)}, ${dateText(instant, timeZone)}`
}

/** "Nov 20, 2026 at 9:30 AM (London time)", as emails and notifications show a moment to readers anywhere. */
export function mailMomentText(instant: Date, timeZone: string): string {
  const p = parts(instant, timeZone, { day: 'numeric', month: 'short', year: 'numeric' })
  const place =
    timeZone === 'UTC' ? 'UTC' : `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`
  return `${p.get('month')?.slice(0, 3)} ${p.get('day')}, ${p.get('year')} at ${timeText(instant, timeZone).replace(/^0/, '')} (${place})`
}

/** "DD/MM/YYYY HH:mm" if older than a day or in the future, otherwise how long ago. */
export function relativeText(instant: Date, now: Date, timeZone: string): string {
  const minutes = Math.floor((now.getTime() - instant.getTime()) / 60_000)
  // clocks of servers and browsers differ by seconds
  if (minutes > 24 * 60 || minutes < -1) {
    const p = parts(instant, timeZone, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    return `${p.get('day')}/${p.get('month')}/${p.get('year')} ${p.get('hour')}:${p.get('minute')}`
  }
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  return `${Math.floor(minutes / 60)} h ago`
}

/** "GMT+1" or "GMT+5:30": the zone's offset at that instant. */
export function offsetText(instant: Date, timeZone: string): string {
  const name = formatterOf('en-US', { timeZone, timeZoneName: 'shortOffset' })
    .formatToParts(instant)
    .find((p) => p.type === 'timeZoneName')?.value
  return name ?? 'GMT'
}

/** "00:00" for anything that isn't HH:mm. For display only: the server refuses such a time. */
export function clockOr(text: string): string {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : '00:00'
}

/** Minor units as money in the plan's currency. */
export function money(minorUnits: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(minorUnits / 100)
}
