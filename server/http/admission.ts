import type { FastifyRequest } from 'fastify'
import type { InsightsFilter } from '#contract/analytics/filter.ts'
import type { Cost, EndpointShape } from '#contract/endpoint.ts'
import type { Clock } from '../clock.ts'
import type { EntryIds } from '../db/tenant.ts'
import { fail, type Failure } from '../errors.ts'
import type { Grant } from './access.ts'
import { FairShare, type Party, type Refusal } from './fairShare.ts'
import { limits, type Limits, type Rate, type Shared } from './limits.ts'
import { Rates } from './rates.ts'

/** How many callers' keys are remembered between two requests of a session. */
const KNOWN = 20_000
/** How long people should wait, in seconds, if calls run out rather than time. */
const SOON = 2

type Request = Pick<FastifyRequest, 'headers' | 'ip' | 'url'>

/** Decides on this node when a request may use the database, and whether its person and organization call too often. */
export type Admission = ReturnType<typeof createAdmission>

/** The admission of one app. Nothing is stored: a restart resets the counts. */
export function createAdmission(clock: Pick<Clock, 'monotonic'>, table: Limits = limits) {
  const share = new FairShare(table.database, () => clock.monotonic())
  const rates = new Rates(() => clock.monotonic())
  const outside: Partial<Record<Cost, FairShare>> = Object.fromEntries(
    Object.entries(table.outside).map(([cost, slots]) => [
      cost,
      new FairShare({ ...table.database, slots }, () => clock.monotonic()),
    ]),
  )
  const known = new Map<string, Party>()

  /**
   * Who takes the slot, before anyone has checked. A session and an organization only count once the session is known
   * to be a member's: strangers must not use up others' shares, and all of them together have one organization's share.
   */
  const partyOf = (ids: EntryIds, request: Request): Party =>
    known.get(keyOf(ids)) ?? { person: `address ${request.ip}`, organization: 'unknown' }

  /** Remembers that a session was checked: as a member's of its organization, and as its person's. */
  const welcome = (ids: EntryIds, { caller, org }: Grant): void => {
    if (!caller) return
    const person = `person ${caller.personId}`
    if (org) remember(known, keyOf(ids), { person, organization: `organization ${org.orgId}` })
    remember(known, keyOf({ ...ids, orgId: null }), { person, organization: undefined })
  }

  return {
    /** Runs `work` when it's this caller's turn at the database. Throws TOO_MANY_REQUESTS or UNAVAILABLE. */
    atDatabase<T>(ids: EntryIds, request: Request, work: () => Promise<T>): Promise<T> {
      return share.run(partyOf(ids, request), unitsOf(request, table), work, refusalOf)
    },

    /** The same for the check before a body is read, to which the body's size doesn't matter. */
    async beforeBody(ids: EntryIds, request: Request, check: () => Promise<Grant>): Promise<void> {
      welcome(ids, await share.run(partyOf(ids, request), 1, check, refusalOf))
    },

    /** The key of the person whose session was checked lately; undefined for a stranger. */
    personOf(ids: EntryIds): string | undefined {
      return known.get(keyOf({ ...ids, orgId: null }))?.person
    },

    /** Counts an admitted call. Throws TOO_MANY_REQUESTS, before anything is changed, if there were too many. */
    count(endpoint: EndpointShape, request: Request, ids: EntryIds, grant: Grant): void {
      const { caller, org } = grant
      if (!caller) return
      welcome(ids, grant)
      const { cost } = endpoint
      const units = countedUnits(cost, request, table)
      if (units === 0) return
      const counted: [string, Rate, keyof Shared<Rate>][] = [
        [`${cost} ${caller.personId} ${org?.orgId ?? ''}`, table.rates[cost].person, 'person'],
      ]
      if (org) counted.push([`${cost} ${org.orgId}`, table.rates[cost].organization, 'organization'])
      const waits = counted.map(([key, rate]) => rates.wait(key, rate, units))
      const [, , whose] = counted[waits.findIndex((wait) => wait > 0)] ?? []
      if (whose) {
        const wait = Math.ceil(Math.max(...waits))
        const room = Math.min(...counted.map(([key, rate]) => rates.room(key, rate, units, wait)))
        const pace = Math.min(...counted.map(([, { perMinute }]) => Math.floor(perMinute / units)))
        throw tooMany(whose, { wait, room, pace })
      }
      for (const [key, rate] of counted) rates.count(key, rate, units)
    },

    /** Runs what uses more than the database when it's this caller's turn. Throws TOO_MANY_REQUESTS or UNAVAILABLE. */
    outside<T>(cost: Cost, ids: EntryIds, request: Request, work: () => Promise<T>): Promise<T> {
      const slots = outside[cost]
      return slots ? slots.run(partyOf(ids, request), unitsOf(request, table), work, refusalOf) : work()
    },

    /** Whether someone has waited too long while every slot at the database was taken. */
    get isStalled(): boolean {
      return share.stalled > table.database.stalled
    },
  }
}

const keyOf = ({ tokenHash, orgId }: EntryIds): string => `${tokenHash?.toString('base64') ?? ''} ${orgId ?? ''}`

function remember(known: Map<string, Party>, key: string, party: Party): void {
  if (known.has(key)) return
  known.set(key, party)
  if (known.size <= KNOWN) return
  const [oldest] = known.keys()
  if (oldest !== undefined) known.delete(oldest)
}

/** A list counts by what it asks for, a light call only by the size of its body, every other one by itself, too. */
function countedUnits(cost: Cost, request: Request, table: Limits): number {
  if (cost === 'list') return searchUnits(request, table)
  return cost === 'light' ? unitsOf(request, table) - 1 : unitsOf(request, table)
}

/** A call, and one more for each so many bytes of its body. A body of unknown length counts as the largest. */
function unitsOf({ headers }: Request, { bodyUnit }: Limits): number {
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 2_000_000
  return 1 + Math.floor(length / bodyUnit)
}

/**
 * A list counts if it searches text or names so many ids that its URL is long. One of some posts, whose figures are worked out from each of
 * their readings, counts by its days.
 */
function searchUnits({ url }: Request, { addressFree, chosenDays }: Limits): number {
  const searched = Math.floor(url.length / addressFree) + (/[?&](q|search|hashtag)=[^&]/u.test(url) ? 1 : 0)
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  if (!ofPosts.some((name) => query.has(name))) return searched
  const days = daysOf(query, 'from', 'to') + daysOf(query, 'compareFrom', 'compareTo')
  return searched + Math.floor(days / chosenDays)
}
const ofPosts = ['campaignId', 'labelId', 'hashtag'] as const satisfies (keyof InsightsFilter)[]

/** How many days a query names; 0 without them. */
function daysOf(query: URLSearchParams, from: string, to: string): number {
  const days = (Date.parse(query.get(to) ?? '') - Date.parse(query.get(from) ?? '')) / 86_400_000
  return days > 0 ? days : 0
}

/** `wait` in seconds, how many such calls have `room` then, and the `pace` per minute that can be kept up from then on. */
function tooMany(
  whose: keyof Shared<unknown>,
  { wait, room, pace }: { wait: number; room: number; pace: number },
): Failure {
  const when = wait === 1 ? 'in a second' : `in ${wait} seconds`
  const then = room === 1 ? 'once' : `${room} times`
  const later = pace === 1 ? 'once' : `${pace} times`
  const who = whose === 'person' ? "You're" : 'People in your organization are'
  const able = whose === 'person' ? 'You can' : 'They can'
  const lasting = pace > 0 ? `, and ${later} a minute after that` : ''
  return fail('TOO_MANY_REQUESTS', {
    detail: `${who} doing this too often. Nothing was changed. Try again ${when}. ${able} do it ${then} then${lasting}.`,
    meta: { retryAfterSeconds: wait, limit: whose, callsThen: room, callsPerMinute: pace },
  })
}

function refusalOf(why: Refusal): Failure {
  return why === 'own share'
    ? fail('TOO_MANY_REQUESTS', {
        detail: `Too many of your organization's requests are running. Nothing was changed. Try again in ${SOON} seconds.`,
        meta: { retryAfterSeconds: SOON, limit: 'running' },
      })
    : fail('UNAVAILABLE', {
        detail: 'Rookery is very busy. Nothing was changed. Try again in a few seconds.',
        meta: { retryAfterSeconds: SOON * 2 },
      })
}
