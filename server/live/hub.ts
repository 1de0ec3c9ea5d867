import type { LiveEvent } from '#contract/live.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import type { Log } from '../log.ts'
import type { Cursor } from './cursor.ts'
import { currentCursor, readAfter, readMissed, subjectsOf, type StoredEvent } from './read.ts'
import type { Sight, Subjects } from './sight.ts'
import type { EventStream } from './stream.ts'

export type HubOptions = {
  /** How often the event table is read, in milliseconds. */
  every?: number
  /** How often comments are sent that keep proxies from closing a quiet stream, in milliseconds. */
  heartbeat?: number
  /** How often every stream's permission is checked again, whatever happened, in milliseconds. */
  recheck?: number
  /** A person's streams on this node; the oldest is closed. */
  perPerson?: number
}

type Listener = {
  stream: EventStream
  orgId: string
  projectId: string
  personId: string
  /** What the person may know of. With other rights it's another stream: see mayListen. */
  sight: Sight
  /** Whether the person may still see this: session, membership and role, read again. */
  mayListen(): Promise<boolean>
}

/** Sends events to this node's open streams. One reader for all of them, which pauses while there are none. */
export type LiveHub = {
  /**
   * Adds a stream, after what it missed since `after`; without that, or if it's too old, the stream is reset.
   * `isRecent`: `after` is known to be younger than the retention of events.
   */
  join(listener: Listener, after: Cursor | undefined, isRecent?: boolean): void
  /** How many streams are open here. */
  size(): number
  /** Ends every stream: browsers reconnect automatically, to this node or another. */
  close(): Promise<void>
}

const PAGE = 1000
/** More than this isn't replayed one by one: reading everything again is cheaper. */
const REPLAY_MOST = 500

/** The kinds of events whose subjects were looked up, and those subjects. */
type LookedUp = { kinds: ReadonlySet<LiveEvent['kind']>; subjects: Subjects }
const none: Subjects = new Map()

type Joined = Listener & {
  /** Events that came while the missed ones were being read. */ waiting: StoredEvent[] | null
  checkedAt: number
}

/**
 * This node's hub, idle until a stream joins. Its options are in milliseconds, except `perPerson`: how many streams of
 * one person may be open.
 */
export function createLiveHub(
  databases: Pick<Databases, 'system'>,
  clock: { monotonic(): number },
  log: Log,
  options: HubOptions = {},
): LiveHub {
  const { every = 250, heartbeat = 25_000, recheck = 120_000, perPerson = 32 } = options
  const joined = new Set<Joined>()
  let cursor: Cursor | undefined
  let starting: Promise<Cursor> | undefined
  let turn: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let beat: NodeJS.Timeout | undefined
  let closed = false

  const leave = (listener: Joined) => {
    joined.delete(listener)
    listener.stream.end()
  }

  /** The reader's position; read once when it starts. */
  function place(): Promise<Cursor> {
    if (cursor) return Promise.resolve(cursor)
    return (starting ??= asSystem(databases.system, currentCursor)
      .then((found) => (cursor ??= found))
      .finally(() => (starting = undefined)))
  }

  function wake(): void {
    if (closed || joined.size === 0 || timer || turn) return
    timer = setTimeout(() => {
      timer = undefined
      turn = look()
        .catch((error: unknown) => log.warn({ err: error }, "live events couldn't be read"))
        .finally(() => {
          turn = undefined
          wake()
        })
    }, every)
    beat ??= setInterval(tend, heartbeat).unref()
  }

  async function look(): Promise<void> {
    for (;;) {
      const from = await place()
      const events = await asSystem(databases.system, (tx) => readAfter(tx, from, PAGE))
      // only what someone's rights depend on, once for everyone
      const kinds = new Set([...joined].flatMap(({ sight }) => [...sight.lookups]))
      const subjects = kinds.size > 0 ? await asSystem(databases.system, (tx) => subjectsOf(tx, events, kinds)) : none
      for (const event of events) hand(event, { kinds, subjects })
      cursor = events.at(-1)?.cursor ?? from
      if (events.length < PAGE) return
    }
  }

  function hand(event: StoredEvent, { kinds, subjects }: LookedUp): void {
    for (const listener of joined) {
      if (listener.orgId !== event.orgId) continue
      if (event.kind === 'member' && (event.personId === null || event.personId === listener.personId))
        void check(listener)
      if (!concerns(event, listener)) continue
      // it joined after the subjects were read: it reconnects, and gets everything then
      if (listener.sight.lookups.has(event.kind) && !kinds.has(event.kind)) leave(listener)
      else if (!listener.sight.sees(event, subjects)) continue
      else if (listener.waiting) listener.waiting.push(event)
      else tell(listener, event)
    }
  }

  /** A reader who can't keep up is disconnected: it comes back with its cursor, or reads everything again. */
  function tell(listener: Joined, event: StoredEvent): void {
    if (!listener.stream.event(event)) leave(listener)
  }

  async function check(listener: Joined): Promise<void> {
    listener.checkedAt = clock.monotonic()
    const may = await listener.mayListen().catch(() => true) // an unavailable database ends nobody's stream
    if (!may) leave(listener)
  }

  function tend(): void {
    for (const listener of joined) {
      if (!listener.stream.comment()) leave(listener)
      else if (clock.monotonic() - listener.checkedAt > recheck) void check(listener)
    }
    if (joined.size > 0) return
    clearInterval(beat)
    beat = undefined
    // nobody listened for a while: the next listener starts where the events are then
    if (!turn) cursor = undefined
  }

  async function catchUp(listener: Joined, after: Cursor | undefined, isRecent: boolean): Promise<void> {
    const reached = await place()
    // no later event reports what was revoked between admission and this moment
    void check(listener)
    const missed = after
      ? await asSystem(databases.system, (tx) => readMissed(tx, listener, after, reached, REPLAY_MOST, isRecent))
      : ({ kind: 'too old' } as const)
    const { lookups } = listener.sight
    const subjects =
      lookups.size > 0 && missed.kind === 'events'
        ? await asSystem(databases.system, (tx) => subjectsOf(tx, missed.events, lookups))
        : none
    const waiting = listener.waiting ?? []
    listener.waiting = null
    if (missed.kind === 'too old') listener.stream.reset(reached)
    else for (const event of missed.events) if (listener.sight.sees(event, subjects)) tell(listener, event)
    for (const event of waiting) if (isAfter(event.cursor, reached)) tell(listener, event)
  }

  return {
    join(listener, after, isRecent = false) {
      const own: Joined = { ...listener, waiting: [], checkedAt: clock.monotonic() }
      if (closed) return listener.stream.end()
      const [oldest, ...others] = [...joined].filter((one) => one.personId === own.personId)
      if (oldest && others.length + 1 >= perPerson) leave(oldest)
      joined.add(own)
      own.stream.onEnd(() => joined.delete(own))
      catchUp(own, after, isRecent).catch((error: unknown) => {
        log.warn({ err: error }, "a stream couldn't be resumed")
        leave(own)
      })
      wake()
    },
    size: () => joined.size,
    async close() {
      closed = true
      clearTimeout(timer)
      clearInterval(beat)
      for (const listener of joined) leave(listener)
      await turn
    },
  }
}

function concerns(event: StoredEvent, { projectId, personId }: Joined): boolean {
  return (
    (event.projectId === null || event.projectId === projectId) &&
    (event.personId === null || event.personId === personId)
  )
}

const isAfter = (one: Cursor, other: Cursor) => one.xid > other.xid || (one.xid === other.xid && one.id > other.id)
