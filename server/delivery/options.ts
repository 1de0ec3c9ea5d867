import { thisMachine } from '../db/sizes.ts'

/** How publishing behaves on a node. Times in milliseconds. Tests and benches shorten them; operators have the defaults. */
export type PublishingOptions = {
  /** The most deliveries in work at the same time: what they need in memory, not what platforms bear. */
  slots: number
  /** The most of them for one platform, as a part of all. How many it has follows from its answers (slotWindow.ts). */
  platformShare: number
  /** With how many slots a platform begins. */
  firstSlots: number
  /** Kept free for each other platform, where there are enough; and the fewest that failures leave a platform. */
  reservedSlots: number
  /** Posts being prepared (uploads, conversions) at the same time. */
  transfers: number
  /**
   * The part of its platform's slots, and the transfers, that one server of a federation may hold: anybody can set one up that
   * never answers.
   * `allTransfers` is for all such servers together, so that uploads to the large platforms always go on.
   */
  server: { share: number; transfers: number; allTransfers: number }
  heartbeat: number
  /** A node whose heartbeat stood still for this long, by the observer's own clock, loses its posts. Less than three heartbeats. */
  rescueAfter: number
  /** How often heartbeats are looked at. */
  rescueEvery: number
  /** The longest sleep between two looks at the lanes: what another process scheduled is seen after it. */
  poll: number
  /** What a send's lease has beyond the adapter's own timeout. */
  leaseSlack: number
  /** The lease of steps that change nothing on the platform; renewed while a preparation lasts. */
  readLease: number
  /** How long after a lease's end the settling of a lost answer begins: for clocks of nodes that differ. */
  reconcileMargin: number
  /** Between the two readings that must both miss a post before it is sent again. */
  absenceGap: number
  /** The first wait of a back-off; it doubles. */
  backoff: number
  /** How often a lane that waits for a person is looked at. */
  lookAgain: number
  /** How often the watchdog compares what was due with what happened; 0 for never. */
  watchdog: number
  /** A node whose clock differs from the database's by more than this does not claim; 0 where a test moves the clock. */
  clockTolerance: number
  /** Outcomes written in one commit, and how long the first one waits for company. */
  batch: { size: number; wait: number }
  /** Which rules of the world's zones this node computes with. */
  zoneData: string
  /** For the test that proves what each guard is for. Never set elsewhere. */
  guards: { lease: boolean; fence: boolean }
}

const SECOND = 1000

/** As many slots as this machine's memory bears: at most 1,000, at a tenth of a megabyte each a twentieth of 2 GB. */
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

/** The defaults for a heartbeat (HEARTBEAT_MS), with what is given in place of them. */
export function publishingOptions(given: Partial<PublishingOptions> = {}): PublishingOptions {
  const heartbeat = given.heartbeat ?? defaultOptions.heartbeat
  const options = {
    ...defaultOptions,
    rescueAfter: heartbeat * 2.4,
    rescueEvery: Math.max(50, heartbeat / 5),
    ...given,
    heartbeat,
  }
  // a guard that ends after the rescue began would let a stopped worker send
  if (options.rescueAfter <= heartbeat) throw new Error('rescueAfter must be longer than a heartbeat')
  return options
}
