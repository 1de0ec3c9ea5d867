import type { Platform } from '../platforms/platform.ts'
import type { Claimed, LaneLoad } from './claim.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { PublishingOptions } from './options.ts'
import { SlotWindow } from './slotWindow.ts'

type SlotOptions = Pick<PublishingOptions, 'slots' | 'platformShare' | 'firstSlots' | 'reservedSlots' | 'transfers'>

/** Once an organization uses this share of a platform's slots, other organizations go first. */
const CROWDED = 0.25

/** The work in flight on this node, and its remaining capacity: in total, per platform, and for transfers. */
export class InFlight {
  readonly #options: SlotOptions
  readonly #platforms: readonly Platform[]
  readonly #running = new Map<string, { claimed: Claimed; done: Promise<void> }>()
  /** Attempts that failed in our own code: started, and never returned as if they hadn't been. */
  readonly #broken = new Set<string>()
  readonly #inUse = new Map<string, number>()
  readonly #windows: ReadonlyMap<string, SlotWindow>
  /** Slots reserved for each platform, however many the others want. */
  readonly #reserved: number
  #transfers = 0
  #turn = 0

  constructor(platforms: readonly Platform[], options: SlotOptions) {
    const { slots, platformShare, firstSlots, reservedSlots } = options
    this.#platforms = platforms
    this.#options = options
    this.#reserved = Math.min(reservedSlots, Math.floor(slots / (2 * platforms.length)))
    const most = Math.ceil(slots * platformShare)
    const least = Math.min(reservedSlots, most)
    this.#windows = new Map(platforms.map(({ key }) => [key, new SlotWindow({ first: firstSlots, least, most })]))
  }

  get size(): number {
    return this.#running.size
  }

  /** Free slots. */
  get room(): number {
    return this.#options.slots - this.#running.size
  }

  /** Transfers that can still start. */
  get transfers(): number {
    return Math.max(0, this.#options.transfers - this.#transfers)
  }

  /** The most that any single platform may still take. */
  get roomOfPlatforms(): number {
    return this.shares().reduce((most, [, share]) => Math.max(most, share), 0)
  }

  /** The number of slots a platform has now, used or free. */
  slotsOf(platform: Platform): number {
    return this.#windows.get(platform.key)?.size ?? 0
  }

  /** The platforms with capacity, and how much. */
  shares(): [Platform, number][] {
    const from = this.#turn % this.#platforms.length
    const turned = [...this.#platforms.slice(from), ...this.#platforms.slice(0, from)]
    const used = ({ key }: Platform) => this.#inUse.get(key) ?? 0
    const keptFor = (platform: Platform) => Math.max(0, this.#reserved - used(platform))
    const keptForAll = this.#platforms.reduce((sum, platform) => sum + keptFor(platform), 0)
    return turned
      .map((platform): [Platform, number] => {
        const room = this.room - (keptForAll - keptFor(platform))
        return [platform, Math.max(0, Math.min(room, this.slotsOf(platform) - used(platform)))]
      })
      .filter(([, share]) => share > 0)
  }

  /** Organizations that use so many of a platform's slots that others go first. */
  crowded(): Map<Platform, string[]> {
    const held = new Map<string, number>()
    for (const { claimed } of this.#running.values()) {
      const key = `${claimed.platform} ${claimed.org_id}`
      held.set(key, (held.get(key) ?? 0) + 1)
    }
    return new Map(
      this.#platforms.map((platform) => [
        platform,
        [...held].flatMap(([key, slots]) => {
          const [of, orgId = ''] = key.split(' ')
          return of === platform.key && slots > this.slotsOf(platform) * CROWDED ? [orgId] : []
        }),
      ]),
    )
  }

  /**
   * Records the result of a claim's request; `now` is from the monotonic clock. A federated server that anyone can
   * run says nothing about the platform.
   */
  answered(platform: Platform, service: string | null, answer: SafeAnswer, now: number): void {
    if (service !== null && !platform.mainServers?.includes(service)) return
    const window = this.#windows.get(platform.key)
    if (hasFailed(answer)) window?.failed(now)
    else window?.answered(this.#inUse.get(platform.key) ?? 0)
  }

  /** The next claim starts with another platform. */
  turn(): void {
    this.#turn += 1
  }

  /**
   * Starts the work on a claim, which uses its slot until it ends. The work resolves to whether it completed; `freed`
   * is called for each released slot.
   */
  take(platform: Platform, claimed: Claimed, work: () => Promise<boolean>, freed: () => void): void {
    const key = claimed.attempt_id ?? `${claimed.subject_id}/${claimed.key}/${claimed.fence}`
    const transfer = isTransfer(claimed) ? 1 : 0
    this.#count(platform, 1, transfer)
    const worked = async () => {
      if (!(await work())) this.#broken.add(key)
      this.#running.delete(key)
      this.#count(platform, -1, -transfer)
      freed()
    }
    this.#running.set(key, { claimed, done: worked() })
  }

  /** What each federated server uses here. Few posts are in flight at once, so it's counted on demand. */
  heldByServers(): Map<Platform, LaneLoad> {
    const held = new Map<Platform, LaneLoad>()
    for (const { claimed } of this.#running.values()) {
      const platform = this.#platforms.find(({ key }) => key === claimed.platform)
      const { service } = claimed
      if (!platform || service === null || platform.mainServers?.includes(service)) continue
      const of = held.get(platform) ?? { used: {}, moving: {} }
      held.set(platform, of)
      of.used[service] = (of.used[service] ?? 0) + 1
      if (isTransfer(claimed)) of.moving[service] = (of.moving[service] ?? 0) + 1
    }
    return held
  }

  /** Attempts that were started here; nobody works on anything else that is claimed for this node. */
  begun(): string[] {
    return [...this.#running.keys(), ...this.#broken].filter((key) => !key.includes('/'))
  }

  /** Resolves when everything that is in flight now has ended. */
  async over(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #count(platform: Platform, posts: number, transfers: number): void {
    this.#inUse.set(platform.key, (this.#inUse.get(platform.key) ?? 0) + posts)
    this.#transfers += transfers
  }
}

/** Whether the platform can't be reached, doesn't answer in time or has trouble; refusals are ordinary answers. */
const hasFailed = (answer: SafeAnswer): boolean =>
  answer.kind === 'answer' ? answer.status >= 500 : ['timeout', 'dropped', 'unreachable'].includes(answer.why)

const isTransfer = ({ verdict, step }: Claimed): boolean => verdict === 'go' && step === 'prepare'
