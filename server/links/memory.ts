import type { Clock } from '../clock.ts'

/** Where a short link leads, and for whom clicks on it count. */
export type ShortLink = { orgId: string; postId: string; zone: string; url: string }

/** How many links a node remembers, each with an address of at most 2,000 characters. */
const MOST = 10_000
/** After this long a link is read again: its post or project may be gone. Milliseconds. */
const OLDEST = 60_000
/** How many codes are read from the database at a time. */
const AT_ONCE = 50

export type LinkMemory = {
  /** A link that was read within the last minute. */
  peek(code: string): ShortLink | undefined
  /** The same, read if it has to be: null for an unknown code, undefined if too many are being read. */
  get(code: string): Promise<ShortLink | null | undefined>
}

/** Remembers links by their codes; the least recently used goes first. Unknown codes aren't remembered. */
export function createLinkMemory(
  read: (code: string) => Promise<ShortLink | null>,
  clock: Pick<Clock, 'monotonic'>,
  most = MOST,
): LinkMemory {
  const known = new Map<string, { link: ShortLink; readAt: number }>()
  const readings = new Map<string, Promise<ShortLink | null>>()

  const peek = (code: string): ShortLink | undefined => {
    const entry = known.get(code)
    if (!entry) return undefined
    known.delete(code)
    if (clock.monotonic() - entry.readAt >= OLDEST) return undefined
    // the least recently used is the first
    known.set(code, entry)
    return entry.link
  }
  const begin = async (code: string): Promise<ShortLink | null> => {
    const readAt = clock.monotonic()
    try {
      const link = await read(code)
      if (link) known.set(code, { link, readAt })
      for (const oldest of known.keys()) {
        if (known.size <= most) break
        known.delete(oldest)
      }
      return link
    } finally {
      readings.delete(code)
    }
  }
  return {
    peek,
    async get(code) {
      const link = peek(code)
      if (link) return link
      const running = readings.get(code)
      if (running) return await running
      if (readings.size >= AT_ONCE) return undefined
      const reading = begin(code)
      readings.set(code, reading)
      return await reading
    },
  }
}
