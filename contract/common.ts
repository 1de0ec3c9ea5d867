import { z } from 'zod'

export const Id = z.uuid()
export type Id = z.infer<typeof Id>

/** An instant on the wire: ISO 8601 in UTC. */
export const Instant = z.iso.datetime({ offset: false })

export const OrgParams = z.object({ orgId: Id })
export const ProjectParams = z.object({ orgId: Id, projectId: Id })

/** Where a paginated list stands. Pages start at 1. */
export const Pagination = z.object({ currentPage: z.int(), totalPages: z.int(), totalCount: z.int() })
export type Pagination = z.infer<typeof Pagination>

export const PageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).optional(),
})

/** A reply that only says that it happened; `message` is the text for the toast. */
export const Done = z.object({ message: z.string().optional() })

/** An IANA zone that this runtime knows. The quick names of the composer are mapped before they reach the wire. */
export const Zone = z.string().refine(isZone, 'Unknown time zone')

export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The quick zones of the composer and what they mean (decisions, Posts). */
export const QUICK_ZONES = { IST: 'Asia/Kolkata', CST: 'America/Chicago', EST: 'America/New_York', PST: 'America/Los_Angeles' } as const
