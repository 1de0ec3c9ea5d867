import { wallTimeOf } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import { isConnectionLoss } from '../db/connectionLoss.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import type { Log } from '../log.ts'
import { saltsOf } from './salts.ts'
import { isPersons, visitorOf, type Visit } from './visit.ts'
import { Waiting, type Batch, type PostClickName } from './waiting.ts'
import { writeCounts } from './write.ts'

export type { Visit } from './visit.ts'

/** A page, and the time zone of its project, in which its days are counted. */
type CountedPage = { orgId: string; pageId: string; zone: string }

/**
 * Counts views of pages and clicks on links (docs/link-in-bio.md#counting). Calls return at once and never throw: counts are
 * added up in memory and written once a second. Only what a person's browser asks for counts (visit.ts).
 */
export type Clicks = {
  pageView(page: CountedPage, visit: Visit): void
  /** A click on an item of a page; with a post, also a click on that post's link. */
  itemClick(page: CountedPage, item: { number: number; postId: string | null }, visit: Visit): void
  /** A click on a post's short link. */
  linkClick(link: { orgId: string; postId: string; zone: string }, visit: Visit): void
  /** Writes what was counted so far. What can't be written is kept for the next time. Never throws. */
  flush(): Promise<void>
  /** The same, and ends its timer. */
  close(): Promise<void>
}

const EVERY_MS = 1_000
/** How long an organization waits whose counts couldn't be written although others' could. */
const AGAIN_MS = 60_000
const QUARTER_HOUR = 900_000

type Deps = { databases: Pick<Databases, 'system'>; clock: Clock; log: Log }

export function createClicks(deps: Deps): Clicks {
  const { clock, log } = deps
  const waiting = new Waiting()
  const dayIn = daysOfZones(clock)
  const refused = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  let isClosed = false

  const wake = () => {
    if (timer || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      void write((orgId) => (refused.get(orgId) ?? 0) <= clock.monotonic())
    }, EVERY_MS)
    timer.unref()
  }
  /** Writes what waits of these organizations, after what is being written now. */
  const write = (which: (orgId: string) => boolean): Promise<void> => {
    const before = writing
    const run = async () => {
      await before
      const batches = waiting
        .organizations()
        .flatMap((orgId) => (which(orgId) ? [[orgId, waiting.take(orgId)] as const] : []))
      await writeAll(deps, batches, {
        keep: (batch) => waiting.addBack(batch),
        onWritten: (orgId) => refused.delete(orgId),
        onRefused: (orgId) => refused.set(orgId, clock.monotonic() + AGAIN_MS),
      })
      const dropped = waiting.takeDropped()
      if (dropped > 0) log.error({ dropped }, 'clicks were not counted, because too many wait to be written')
      if (!waiting.isEmpty) wake()
    }
    writing = run()
    return writing
  }
  const countPage = ({ orgId, pageId, zone }: CountedPage, number: number, add: { views: number; clicks: number }) =>
    waiting.addPage({ orgId, pageId, day: dayIn(zone), number, ...add })
  const countPost = (name: PostClickName, { orgId, postId, zone }: { orgId: string; postId: string; zone: string }) =>
    waiting.addPost({ orgId, postId, name, day: dayIn(zone), n: 1 })

  return {
    pageView(page, visit) {
      if (!isPersons(visit)) return
      const { orgId, pageId, zone } = page
      countPage(page, 0, { views: 1, clicks: 0 })
      waiting.addVisitor({ orgId, pageId, day: dayIn(zone), visitor: visitorOf(pageId, visit) })
      wake()
    },
    itemClick(page, { number, postId }, visit) {
      if (!isPersons(visit)) return
      countPage(page, number, { views: 0, clicks: 1 })
      if (postId !== null) countPost('bioClicks', { ...page, postId })
      wake()
    },
    linkClick(link, visit) {
      if (!isPersons(visit)) return
      countPost('shortLinkClicks', link)
      wake()
    },
    flush: () => write(() => true),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await write(() => true)
      if (!waiting.isEmpty) log.error({}, 'the last clicks could not be written and are lost')
    },
  }
}

/**
 * Writes all in one transaction; if the database refuses something of it, each organization's alone, so that one whose
 * counts can't be written delays no other. While the database can't be reached, everything is kept.
 */
async function writeAll(
  { databases, clock, log }: Deps,
  batches: readonly (readonly [orgId: string, Batch])[],
  on: { keep: (batch: Batch) => void; onWritten: (orgId: string) => void; onRefused: (orgId: string) => void },
): Promise<void> {
  if (batches.length === 0) return
  const write = async (all: readonly Batch[]) => {
    const batch = {
      pages: all.flatMap(({ pages }) => pages),
      posts: all.flatMap(({ posts }) => posts),
      visitors: all.flatMap(({ visitors }) => visitors),
    }
    const busy = await asSystem(
      databases.system,
      async (tx) => {
        const salts = await saltsOf(tx, new Set(batch.visitors.map(({ day }) => day)), clock.now())
        return await writeCounts(tx, batch, salts)
      },
      { durable: false },
    )
    on.keep(busy)
  }
  try {
    await write(batches.map(([, batch]) => batch))
    for (const [orgId] of batches) on.onWritten(orgId)
    return
  } catch (error) {
    if (isConnectionLoss(error)) {
      log.warn({ err: error }, "the database can't be reached, so clicks wait to be written")
      for (const [, batch] of batches) on.keep(batch)
      return
    }
  }
  for (const [orgId, batch] of batches)
    try {
      await write([batch])
      on.onWritten(orgId)
    } catch (error) {
      log.error({ err: error, orgId }, "an organization's clicks couldn't be written and wait")
      on.keep(batch)
      on.onRefused(orgId)
    }
}

/** The day in a zone, worked out once per quarter of an hour: all zones' days begin at one. */
function daysOfZones(clock: Clock): (zone: string) => string {
  let quarter = 0
  const days = new Map<string, string>()
  return (zone) => {
    const now = clock.now()
    const current = Math.floor(now.getTime() / QUARTER_HOUR)
    if (current !== quarter) days.clear()
    quarter = current
    const known = days.get(zone)
    if (known !== undefined) return known
    const { year, month, day } = wallTimeOf(now, zone)
    const text = new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
    days.set(zone, text)
    return text
  }
}
