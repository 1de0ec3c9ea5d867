import { z } from 'zod'
import { PAGE_SIZE } from './constants.ts'
import './plainMessages.ts'

/** In lower case, as the database writes it: ids are compared as text, and upper case is still the same id. */
export const Id = z.uuid().toLowerCase()
export type Id = z.infer<typeof Id>

/** An instant in the API: ISO 8601 in UTC, from the year 1 on, before which the database writes dates differently. */
export const Instant = z.iso.datetime({ offset: false }).refine(isFromYearOne, 'Use a year from 0001 on')
/** A day in the API, such as 2026-11-30, from the year 1 on. */
export const Day = z.iso.date().refine(isFromYearOne, 'Use a year from 0001 on')

export const OrgParams = z.object({ orgId: Id })
export const ProjectParams = z.object({ orgId: Id, projectId: Id })

/** A position in a paginated list. Pages start at 1. */
export const Pagination = z.object({ currentPage: z.int(), totalPages: z.int(), totalCount: z.int() })
export type Pagination = z.infer<typeof Pagination>

/**
 * The position of a page of `limit` items among all; a list without items has one page, and so has one of Infinity
 * items a page.
 */
export function paginationOf({ page, limit }: { page: number; limit: number }, totalCount: number): Pagination {
  return { currentPage: page, totalPages: Math.max(1, Math.ceil(totalCount / limit)), totalCount }
}

/** The requested page of a list, with `size` items by default. */
export const pageQuery = (size: number) =>
  z.object({
    page: z.coerce.number().int().min(1).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(size),
  })
export const PageQuery = pageQuery(PAGE_SIZE.default)

/** A reply that only confirms; `message` is the toast's text. */
export const Done = z.object({ message: z.string().optional() })

/** A web URL. Anything else, such as `javascript:`, must never become a link. */
export const WebAddress = z.url({ protocol: /^https?$/ })

/** An IANA zone known to this runtime. The composer's quick names are mapped before they're sent. */
export const Zone = z.string().max(64, 'Unknown time zone').refine(isZone, 'Unknown time zone')

/**
 * IANA's three-letter names. EST is one too, but means New York in the composer and has no daylight saving time there.
 */
const threeLetters = new Set(['UTC', 'GMT', 'UCT', 'CET', 'EET', 'MET', 'WET', 'MST', 'HST', 'PRC', 'ROC', 'ROK'])

/** Results of `isZone`: asking Intl costs more than the rest of a request's parsing. Emptied when it gets large. */
const knownZones = new Map<string, boolean>()
const MOST_KNOWN_ZONES = 1_000

/**
 * Whether it's the name of a zone. Runtimes also accept offsets such as +05:30, which have no daylight saving time, and
 * old abbreviations such as IST, which mean different zones to different readers: both are refused.
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

function isFromYearOne(text: string): boolean {
  return !text.startsWith('0000')
}

/** The composer's quick zones and what they mean. */
export const QUICK_ZONES = {
  IST: 'Asia/Kolkata',
  CST: 'America/Chicago',
  EST: 'America/New_York',
  PST: 'America/Los_Angeles',
} as const
