import type { Clock } from '../clock.ts'
import type { Notifications } from '../db/notifications.ts'
import type { Found } from './publicPage.ts'

/** After this long it's read again, whatever was heard. Milliseconds. */
const OLDEST = 60_000
/** How many addresses are read from the database at a time, and how many wait for that. */
const [AT_ONCE, WAITING] = [3, 200]

/** What is sent for an address. `bytes`: how much memory it takes. */
export type Kept = { found: Found; bytes: number }
type Entry<T> = { value: T; readAt: number }
/** A reading, and the messages that were heard since it began. */
type Reading<T> = { promise: Promise<T>; heard: Set<string>; wasLost: boolean }

export type PageMemory<T extends Kept> = {
  /** What is known to be right, from memory; undefined if it has to be read. */
  peek(slug: string): T | undefined
  /** Whether something was at the address when it was last read. */
  isKnown(slug: string): boolean
  /** The same, read if it has to be. Undefined: too many addresses are being read. */
  get(slug: string): Promise<T | undefined>
  stats(): { entries: number; bytes: number; reads: number }
  close(): void
}

/**
 * Keeps what is sent for addresses, up to `most` bytes; the least recently used goes first. An entry is right until something
 * of it begins or ends, until a change of it is announced (functions/bio_changes.sql), and for a minute at most. While
 * announcements can't be heard, everything is read.
 */
export function createPageMemory<T extends Kept>({
  read,
  notifications,
  clock,
  most,
}: {
  /** `before`: what was sent for the address until now. */
  read: (slug: string, before: T | undefined) => Promise<T>
  notifications: Notifications
  clock: Clock
  most: number
}): PageMemory<T> {
  const entries = new Map<string, Entry<T>>()
  const readings = new Map<string, Reading<T>>()
  /** Readings that haven't begun. */
  const queued = new Map<string, Promise<T | undefined>>()
  const inTurn = bounded(AT_ONCE, WAITING)
  let bytes = 0
  let reads = 0

  /** Old entries stay until they're read again, so that the same page isn't compressed again. */
  const expire = (slug: string, entry: Entry<T>) => entries.set(slug, { ...entry, readAt: -Infinity })
  const changes = notifications.listen('bio', {
    heard(message) {
      for (const reading of readings.values()) reading.heard.add(message)
      for (const [slug, entry] of entries) if (isAbout(message, slug, entry.value.found)) expire(slug, entry)
    },
    lost() {
      for (const reading of readings.values()) reading.wasLost = true
      for (const [slug, entry] of entries) expire(slug, entry)
    },
  })

  const isRight = ({ value, readAt }: Entry<T>) =>
    changes.listening() &&
    clock.monotonic() - readAt < OLDEST &&
    (value.found.until === null || clock.now() < value.found.until)
  const keep = (slug: string, value: T, { heard, wasLost }: Reading<T>, readAt: number) => {
    forget(slug)
    const isCurrent = !wasLost && ![...heard].some((message) => isAbout(message, slug, value.found))
    entries.set(slug, { value, readAt: isCurrent ? readAt : -Infinity })
    bytes += value.bytes
    for (const oldest of entries.keys()) {
      if (bytes <= most) break
      forget(oldest)
    }
  }
  const forget = (slug: string) => {
    bytes -= entries.get(slug)?.value.bytes ?? 0
    entries.delete(slug)
  }
  const begin = (slug: string): Promise<T> => {
    const readAt = clock.monotonic()
    const promise = read(slug, entries.get(slug)?.value).then((value) => {
      keep(slug, value, reading, readAt)
      return value
    })
    const reading: Reading<T> = { promise, heard: new Set(), wasLost: !changes.listening() }
    readings.set(slug, reading)
    reads += 1
    const end = () => {
      if (readings.get(slug) === reading) readings.delete(slug)
    }
    promise.then(end, end)
    return promise
  }

  const peek = (slug: string): T | undefined => {
    const entry = entries.get(slug)
    if (!entry || !isRight(entry)) return undefined
    // the least recently used is the first
    entries.delete(slug)
    entries.set(slug, entry)
    return entry.value
  }
  /** A reading that begins after now. */
  const readNext = (slug: string): Promise<T | undefined> => {
    const waiting = queued.get(slug)
    if (waiting) return waiting
    const next = inTurn(async () => {
      await readings.get(slug)?.promise.catch(() => {})
      queued.delete(slug)
      return await begin(slug)
    })
    if (next) queued.set(slug, next)
    return next ?? Promise.resolve(undefined)
  }

  return {
    peek,
    isKnown: (slug) => (entries.get(slug)?.value.found.kind ?? 'missing') !== 'missing',
    get(slug) {
      const kept = peek(slug)
      if (kept) return Promise.resolve(kept)
      const running = readings.get(slug)
      // one that began before a change may not have seen it
      return running && !running.wasLost && running.heard.size === 0 ? running.promise : readNext(slug)
    },
    stats: () => ({ entries: entries.size, bytes, reads }),
    close: () => changes.stop(),
  }
}

/** Whether a message is about what was found at an address. */
const isAbout = (message: string, slug: string, { orgId, pageId }: Found): boolean =>
  message === `slug ${slug}` || message === `page ${pageId}` || message === `organization ${orgId}`

/** Runs so many things at a time; undefined, without running it, if too many wait. */
function bounded(places: number, most: number) {
  const waiting: (() => void)[] = []
  let busy = 0
  return <T>(work: () => Promise<T>): Promise<T> | undefined => {
    if (busy >= places && waiting.length >= most) return undefined
    const run = async () => {
      if (busy < places) busy += 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else busy -= 1
      }
    }
    return run()
  }
}
