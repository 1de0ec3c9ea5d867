import { z } from 'zod'
import { PAGE_SIZE } from './constants.ts'
import './plainMessages.ts'

/** In lower case, as the database writes it: ids are compared as text, and one in capitals is still the same. */
export const Id = z.uuid().toLowerCase()
export type Id = z.infer<typeof Id>

/** An instant on the wire: ISO 8601 in UTC. */
export const Instant = z.iso.datetime({ offset: false })

export const OrgParams = z.object({ orgId: Id })
export const ProjectParams = z.object({ orgId: Id, projectId: Id })

/** Where a paginated list stands. Pages start at 1. */
export const Pagination = z.object({ currentPage: z.int(), totalPages: z.int(), totalCount: z.int() })
export type Pagination = z.infer<typeof Pagination>

/** Where a page of `limit` items stands among all; a list without items has one page, and so has one of Infinity items a page. */
export function paginationOf({ page, limit }: { page: number; limit: number }, totalCount: number): Pagination {
  return { currentPage: page, totalPages: Math.max(1, Math.ceil(totalCount / limit)), totalCount }
}

/** Which page of a list is asked for, of `size` items where the caller doesn't say. */
export const pageQuery = (size: number) =>
  z.object({
    page: z.coerce.number().int().min(1).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(size),
  })
export const PageQuery = pageQuery(PAGE_SIZE.default)

/** A reply that only says that it happened; `message` is the text for the toast. */
export const Done = z.object({ message: z.string().optional() })

/** An address of the web. Anything else, such as `javascript:`, must never become a link. */
export const WebAddress = z.url({ protocol: /^https?$/ })

/** An IANA zone that this runtime knows. The quick names of the composer are mapped before they reach the wire. */
export const Zone = z.string().max(64, 'Unknown time zone').refine(isZone, 'Unknown time zone')

/** Names of three letters that IANA lists. EST is one too, but means New York in the composer and no summer time there. */
const threeLetters = new Set(['UTC', 'GMT', 'UCT', 'CET', 'EET', 'MET', 'WET', 'MST', 'HST', 'PRC', 'ROC', 'ROK'])

/** What `isZone` answered: asking Intl costs more than the rest of a request's parsing. Emptied when names pile up. */
const knownZones = new Map<string, boolean>()
const MOST_KNOWN_ZONES = 1_000

/**
 * Whether it is the name of a zone. Runtimes also take offsets such as +05:30, which know no summer time, and old
 * abbreviations such as IST, which mean another zone to each reader: both are refused.
 */
export function isZone(name: string): boolean {
  const known = knownZones.get(name)
  if (known !== undefined) return known
  if (name.length > 64) return false
  if (knownZones.size >= MOST_KNOWN_ZONES) knownZones.clear()
  const answer = isZoneName(name)
  knownZones.set(name, answer)
  return answer
}

function isZoneName(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  if (name.length === 3 && !threeLetters.has(name.toUpperCase())) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The quick zones of the composer and what they mean (decisions, Posts). */
export const QUICK_ZONES = {
  IST: 'Asia/Kolkata',
  CST: 'America/Chicago',
  EST: 'America/New_York',
  PST: 'America/Los_Angeles',
} as const
