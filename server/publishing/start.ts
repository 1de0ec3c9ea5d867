import type { Databases } from '../db/pools.ts'
import { DeliveryEngine, type DeliveryDeps, type DeliveryStats } from '../delivery/engine.ts'
import { publishingOptions } from '../delivery/options.ts'
import type { Subject } from '../delivery/subject.ts'
import { shortCodes } from '../links/codes.ts'
import type { Content, LastRound } from './postSubject.ts'
import { followUpSubject } from './followUpSubject.ts'
import { postSubject } from './postSubject.ts'
import { holdAfterRestore } from './restore.ts'
import { Watchdog } from './watchdog.ts'
import { followZoneData } from './zoneData.ts'

export type PublishingDeps = Omit<DeliveryDeps, 'subjects'> & {
  databases: Pick<Databases, 'publishing' | 'background'>
  /** What is delivered besides posts and their follow-ups. */
  subjects?: readonly Subject[]
  /** Whether a post may be published as far as approval is concerned. */
  isAsApproved: (post: Content & LastRound) => boolean
}

export type Publishing = {
  readonly nodeId: string
  stats(): DeliveryStats & {
    /** Posts that are a minute or more late without any recorded event. */
    overdue: number
  }
  /** Claims nothing more; waits up to `drain` milliseconds for work in flight, then leaves it to other nodes. */
  stop(how: { drain: number }): Promise<void>
}

/** Starts publishing what is due. Resolves when this node takes part; throws when the database is unavailable at that moment. */
export async function startPublishing(deps: PublishingDeps): Promise<Publishing> {
  const { clock, log, notify } = deps
  const options = publishingOptions(deps.options)
  const pool = deps.databases.publishing
  const doubted = await holdAfterRestore(pool, clock.now(), notify)
  if (doubted !== undefined)
    log.error(
      { posts: doubted },
      'this database came back from a backup or is a copy: publishing is held until `npm run rookery -- publishing resume`',
    )
  const moved = await followZoneData(pool, options.zoneData, clock.now(), notify)
  if (moved > 0)
    log.warn({ posts: moved }, 'the zone data changed: posts keep their time on the wall and moved to another instant')
  const codes = shortCodes(deps.databases.background, clock)
  const post = postSubject(deps.isAsApproved, codes)
  const followUp = followUpSubject(deps.isAsApproved, codes)
  const engine = new DeliveryEngine({ ...deps, subjects: [post, followUp, ...(deps.subjects ?? [])] })
  await engine.start()
  const watchdog = new Watchdog({
    pool,
    clock,
    log,
    notify,
    every: options.watchdog,
    also: () => engine.keepBooks(),
  })
  watchdog.start()
  return {
    get nodeId() {
      return engine.nodeId
    },
    stats: () => ({ ...engine.stats(), overdue: watchdog.overdue }),
    stop: async (how) => {
      await watchdog.stop()
      await engine.stop(how)
    },
  }
}
