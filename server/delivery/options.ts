import { thisMachine } from '../db/sizes.ts'

/** How publishing behaves on a node. Times in milliseconds. Tests and benches shorten them; in production the defaults apply. */
export type PublishingOptions = {
  /** The most deliveries in flight at once: limited by our memory, not by the platforms. */
  slots: number
  /** The largest share of them for one platform. How many it actually has follows from its answers (slotWindow.ts). */
  platformShare: number
  /** The number of slots a platform starts with. */
  firstSlots: number
  /** Slots reserved for each other platform, if there are enough; also the minimum that failures leave a platform. */
  reservedSlots: number
  /** Posts being prepared (uploads, conversions) at the same time. */
  transfers: number
  /**
   * The share of its platform's slots, and the number of transfers, that one federated server may use: anyone can run
   * one that never answers. `allTransfers` is the limit for all such servers together, so that uploads to the large
   * platforms always continue.
   */
  server: { share: number; transfers: number; allTransfers: number }
  heartbeat: number
  /** A node whose heartbeat stopped for this long, by the observer's clock, loses its posts. Less than three heartbeats. */
  rescueAfter: number
  /** How often heartbeats are checked. */
  rescueEvery: number
  /** The longest sleep between two looks at the lanes: what another process schedules is noticed within this time. */
  poll: number
  /** How much longer a send's lease is than the adapter's own timeout. */
  leaseSlack: number
  /** The lease of steps that change nothing on the platform; renewed during a preparation. */
  readLease: number
  /** How long after a lease's end reconciling starts, to allow for differences between nodes' clocks. */
  reconcileMargin: number
  /** The time between the two readings that must both miss a post before it's sent again. */
  absenceGap: number
  /** The first wait of a back-off; it doubles. */
  backoff: number
  /** How often a lane that waits for a person is checked. */
  lookAgain: number
  /** How often the watchdog compares what was due with what happened; 0 for never. */
  watchdog: number
  /** A node whose clock differs from the database's by more than this doesn't claim; 0 in tests that move the clock. */
  clockTolerance: number
  /** The number of outcomes written in one commit, and how long the first one waits for others. */
  batch: { size: number; wait: number }
  /** The time zone data that this node computes with. */
  zoneData: string
  /** For the test that proves what each guard is for. Never set elsewhere. */
  guards: { lease: boolean; fence: boolean }
}

const SECOND = 1000

/** As many slots as this machine's memory allows: at most 1,000. At 0.1 MB each, 2 GB of memory spend a twentieth on them. */
function slotsFor(memory: number): number {
  return Math.min(1000, Math.max(200, Math.floor(memory / 2_000_000)))
}

export const defaultOptions: PublishingOptions = {
  slots: slotsFor(thisMachine().memory),
  platformShare: 0.8,
  firstSlots: 80,
  reservedSlots: 20,
  transfers: 4,
  server: { share: 0.25, transfers: 1, allTransfers: 2 },
  heartbeat: 5 * SECOND,
  rescueAfter: 12 * SECOND,
  rescueEvery: SECOND,
  poll: 250,
  leaseSlack: 10 * SECOND,
  readLease: 60 * SECOND,
  reconcileMargin: 5 * SECOND,
  absenceGap: 60 * SECOND,
  backoff: 5 * SECOND,
  lookAgain: 60 * SECOND,
  watchdog: 60 * SECOND,
  clockTolerance: 2 * SECOND,
  batch: { size: 50, wait: 3 },
  zoneData: process.versions.tz ?? '',
  guards: { lease: true, fence: true },
}

/** The defaults for a heartbeat (HEARTBEAT_MS), with the given overrides. */
export function publishingOptions(given: Partial<PublishingOptions> = {}): PublishingOptions {
  const heartbeat = given.heartbeat ?? defaultOptions.heartbeat
  const options = {
    ...defaultOptions,
    rescueAfter: heartbeat * 2.4,
    rescueEvery: Math.max(50, heartbeat / 5),
    ...given,
    heartbeat,
  }
  // a guard that ends after the rescue starts would let a stopped worker send
  if (options.rescueAfter <= heartbeat) throw new Error('rescueAfter must be longer than a heartbeat')
  return options
}
