/** How long an organization keeps what others wrote, where the platform's terms don't say less. In days. */
export const INBOX_KEEP_DAYS = 730

const HOUR = 3_600_000

/**
 * Until when something may be kept. A platform's own bound counts from the moment at which we read it, so reading it again
 * extends it; ours counts from when it was written.
 */
export function keptUntil(hours: number | undefined, at: Date, now: Date): Date {
  const ours = new Date(at.getTime() + INBOX_KEEP_DAYS * 24 * HOUR)
  if (hours === undefined) return ours
  const theirs = new Date(now.getTime() + hours * HOUR)
  return theirs < ours ? theirs : ours
}
