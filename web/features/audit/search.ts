import { rangeOf, type Day } from '#web/lib/dates.ts'

/** The filters as in the URL; days are calendar days in the project's zone, both included. */
export type AuditSearch = {
  who?: string | undefined
  did?: string | undefined
  kind?: string | undefined
  from?: Day | undefined
  to?: Day | undefined
}

/** The filters as the server expects them: instants, the end excluded. */
export function queryOf(
  { who, did, kind, from, to }: AuditSearch,
  zone: string,
): { userId?: string; action?: string; entityType?: string; from?: string; to?: string } {
  return {
    ...(who !== undefined && { userId: who }),
    ...(did !== undefined && { action: did }),
    ...(kind !== undefined && { entityType: kind }),
    ...(from !== undefined && { from: rangeOf(from, from, zone).from.toISOString() }),
    ...(to !== undefined && { to: rangeOf(to, to, zone).to.toISOString() }),
  }
}

export const isNarrowed = (search: AuditSearch): boolean => Object.values(search).some((value) => value !== undefined)
