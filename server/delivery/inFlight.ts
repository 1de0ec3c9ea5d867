import type { Platform } from '../platforms/platform.ts'
import type { Claimed, LaneLoad } from './claim.ts'
import type { SafeAnswer } from '../platforms/safeHttp.ts'
import type { PublishingOptions } from './options.ts'
import { ServerSlots } from './serverSlots.ts'
import { SlotWindow } from './slotWindow.ts'

type SlotOptions = Pick<
  PublishingOptions,
  'slots' | 'platformShare' | 'firstSlots' | 'reservedSlots' | 'transfers' | 'server'
>

/** Once an organization uses this share of a platform's slots, other organizations go first. */
const CROWDED = 0.25

/** How many read-backs may be in progress without a slot, as a share of a node's slots. */
const READING = 0.25

/** `holds`: whether it has a slot. What is only read back has none, as long as there is room for it. */
type Running = { claimed: Claimed; holds: boolean; done: Promise<void> }

/** The work in flight on this node, and its remaining capacity: in total, per platform, and for transfers. */
export class InFlight {
  readonly #options: SlotOptions
  readonly #platforms: readonly Platform[]
  readonly #running = new Map<string, Running>()
  /** Attempts that failed in our own code: started, and never returned as if they hadn't been. */
  readonly #broken = new Set<string>()
  readonly #inUse = new Map<string, number>()
  readonly #windows: ReadonlyMap<string, SlotWindow>
  readonly #servers: ReadonlyMap<string, ServerSlots>
  /** The most slots of one platform, those of its servers included. */
  readonly #most: number
  /** Slots reserved for each platform, however many the others want. */
  readonly #reserved: number
  #reading = 0
  #transfers = 0
  #turn = 0

  constructor(platforms: readonly Platform[], options: SlotOptions) {
    const { slots, platformShare, firstSlots, reservedSlots } = options
    this.#platforms = platforms
    this.#options = options
    this.#reserved = Math.min(reservedSlots, Math.floor(slots / (2 * platforms.length)))
    const most = Math.ceil(slots * platformShare)
    const least = Math.min(reservedSlots, most)
    this.#most = most
    this.#windows = new Map(platforms.map(({ key }) => [key, new SlotWindow({ first: firstSlots, least, most })]))
    const ofServers = { least: shareOf(least, options), most: shareOf(most, options) }
    this.#servers = new Map(platforms.map(({ key }) => [key, new ServerSlots(ofServers)]))
  }

  get size(): number {
    return this.#running.size
  }

  /** Free slots. */
  get room(): number {
    return this.#options.slots - (this.#running.size - this.#reading)
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

  /** How many of them one of its federated servers has, unless it has a number of its own. */
  shareOfServer(platform: Platform): number {
    return shareOf(this.slotsOf(platform), this.#options)
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
        const room = Math.min(this.room - (keptForAll - keptFor(platform)), this.#most - used(platform))
        return [platform, Math.max(0, Math.min(room, this.slotsOf(platform) - this.#usedOfWindow(platform)))]
      })
      .filter(([, share]) => share > 0)
  }

  /** Organizations that use so many of a platform's slots that others go first. */
  crowded(): Map<Platform, string[]> {
    const held = new Map<string, number>()
    for (const { claimed } of this.#holding()) {
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
   * run says nothing about the platform, only about itself.
   */
  answered(platform: Platform, service: string | null, answer: SafeAnswer, now: number): void {
    if (isFederated(platform, service)) {
      const [servers, share] = [this.#servers.get(platform.key), this.shareOfServer(platform)]
      if (hasFailed(answer)) servers?.failed(service, share, now)
      else servers?.answered(service, share)
      return
    }
    const window = this.#windows.get(platform.key)
    if (hasFailed(answer)) window?.failed(now)
    else window?.answered(this.#usedOfWindow(platform))
  }

  /** The next claim starts with another platform. */
  turn(): void {
    this.#turn += 1
  }

  /**
   * Starts the work on a claim, which uses its slot until it ends or is only read back. The work resolves to whether it
   * completed; `freed` is called at its end.
   */
  take(platform: Platform, claimed: Claimed, work: () => Promise<boolean>, freed: () => void): void {
    const key = keyOf(claimed)
    this.#count(platform, claimed, 1)
    const worked = async () => {
      if (!(await work())) this.#broken.add(key)
      if (this.#running.get(key)?.holds === false) this.#reading -= 1
      else this.#count(platform, claimed, -1)
      this.#running.delete(key)
      freed()
    }
    // the work begins before it's noted, but never ends before
    this.#running.set(key, { claimed, holds: true, done: worked() })
  }

  /**
   * What was claimed has been acknowledged and is only read back: its slot is free for the next send. If many are being
   * read already, on this node or at its federated server, it keeps the slot.
   */
  acknowledged(platform: Platform, claimed: Claimed): void {
    const running = this.#running.get(keyOf(claimed))
    if (!running?.holds || this.#reading >= this.#options.slots * READING) return
    const { service } = claimed
    if (isFederated(platform, service)) {
      const there = [...this.#running.values()].filter((one) => !one.holds && one.claimed.service === service)
      if (there.length >= this.shareOfServer(platform)) return
    }
    running.holds = false
    this.#reading += 1
    this.#count(platform, claimed, -1)
  }

  /** What each federated server uses and may use here. Few posts are in flight at once, so it's counted on demand. */
  heldByServers(): Map<Platform, LaneLoad> {
    const held = new Map(
      this.#platforms.map((platform): [Platform, LaneLoad] => [
        platform,
        { used: {}, moving: {}, windows: this.#servers.get(platform.key)?.windows() ?? {} },
      ]),
    )
    for (const { claimed } of this.#holding()) {
      const platform = this.#platforms.find(({ key }) => key === claimed.platform)
      const { service } = claimed
      const of = platform && held.get(platform)
      if (!of || !isFederated(platform, service)) continue
      of.used[service] = (of.used[service] ?? 0) + 1
      if (isTransfer(claimed)) of.moving[service] = (of.moving[service] ?? 0) + 1
    }
    return held
  }

  /** Attempts that were started here; nobody works on anything else that is claimed for this node. */
  begun(): string[] {
    return [...this.#running.keys(), ...this.#broken].filter((key) => !key.includes('/'))
  }

  #holding(): Running[] {
    return [...this.#running.values()].filter(({ holds }) => holds)
  }

  /** Resolves when everything that is in flight now has ended. */
  async over(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #count(platform: Platform, claimed: Claimed, more: 1 | -1): void {
    const { service } = claimed
    this.#inUse.set(platform.key, (this.#inUse.get(platform.key) ?? 0) + more)
    if (isFederated(platform, service)) this.#servers.get(platform.key)?.count(service, more)
    if (isTransfer(claimed)) this.#transfers += more
  }

  /** How many slots of its own window a platform uses. */
  #usedOfWindow(platform: Platform): number {
    const beyond = this.#servers.get(platform.key)?.beyond(this.shareOfServer(platform)) ?? 0
    return (this.#inUse.get(platform.key) ?? 0) - beyond
  }
}

const keyOf = (claimed: Claimed): string =>
  claimed.attempt_id ?? `${claimed.subject_id}/${claimed.key}/${claimed.fence}`

const shareOf = (slots: number, { server }: SlotOptions): number => Math.max(1, Math.ceil(slots * server.share))

/** Whether it's a server that anyone can run. */
const isFederated = (platform: Platform, service: string | null): service is string =>
  service !== null && !platform.mainServers?.includes(service)

/** Whether the platform can't be reached, doesn't answer in time or has trouble; refusals are ordinary answers. */
const hasFailed = (answer: SafeAnswer): boolean =>
  answer.kind === 'answer' ? answer.status >= 500 : ['timeout', 'dropped', 'unreachable'].includes(answer.why)

const isTransfer = ({ verdict, step }: Claimed): boolean => verdict === 'go' && step === 'prepare'
