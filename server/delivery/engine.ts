import type { Apps } from '../apps/apps.ts'
import type { SecretKeys } from './secrets.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Notify } from '../notifications/create.ts'
import type { Log } from '../log.ts'
import type { Platform } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { backoff } from './backoff.ts'
import { subjectsByKind, type PublishContext } from './stepContext.ts'
import { claimDeliveries, nextWake } from './claim.ts'
import { leaseFor } from './guard.ts'
import { activeKillSwitches } from './killSwitch.ts'
import { InFlight } from './inFlight.ts'
import { Heartbeat } from './heartbeat.ts'
import { onNudge } from './nudge.ts'
import { publishingOptions, type PublishingOptions } from './options.ts'
import { OutcomeWriter } from './outcomes.ts'
import { Punctuality } from './punctuality.ts'
import { runClaimed } from './run.ts'
import { recordExhausted } from './recordExhausted.ts'
import { Sleep } from './sleep.ts'
import type { OpenMedia, Subject } from './subject.ts'

export type DeliveryDeps = {
  databases: Pick<Databases, 'publishing'>
  clock: Clock
  /** Every adapter that this node can publish with. */
  platforms: readonly Platform[]
  secrets: SecretKeys
  /** Which app a channel's sign-in is renewed with. */
  apps?: Pick<Apps, 'ofChannel'>
  media: OpenMedia
  /** The kinds of subjects that can be delivered. */
  subjects: readonly Subject[]
  fetch: SafeFetch
  notify: Notify
  log: Log
  /** No other node can be alive, because this process holds the DATA_DIR that contains the database. Its predecessor is dead. */
  alone?: boolean
  options?: Partial<PublishingOptions>
}

export type DeliveryStats = {
  inFlight: number
  claims: number
  claimed: number
  /** First calls and how late they were, in milliseconds, summed. */
  firstCalls: number
  lagSum: number
  rescued: number
  /** Kill switches that are on, whatever their scope. */
  held: number
}

/** A claim waits until this many slots are free, or until some have been free for a few milliseconds: claiming in batches costs a fifth. */
const BATCH = 16
const PATIENCE = 4

/**
 * Claims what is due and works on it, on one node. `start` resolves once other nodes can see this one and it's
 * watching the lanes, and throws if the database is unavailable at that moment. After that, nothing that the database
 * or a platform does stops it.
 */
export class DeliveryEngine {
  readonly #deps: DeliveryDeps
  readonly #options: PublishingOptions
  readonly #heartbeat: Heartbeat
  readonly #writer: OutcomeWriter
  readonly #punctuality = new Punctuality()
  readonly #platforms: ReadonlyMap<string, Platform>
  readonly #giveUp = new AbortController()
  readonly #inFlight: InFlight
  readonly #context: Omit<PublishContext, 'nodeId'>
  #held = 0
  #stopping = false
  #loop: Promise<void> = Promise.resolve()
  readonly #sleep = new Sleep()
  #impatient = false
  #unNudge: () => void = () => {}
  #counted = { claims: 0, claimed: 0, firstCalls: 0, lagSum: 0 }

  constructor(deps: DeliveryDeps) {
    const options = publishingOptions(deps.options)
    const pool = deps.databases.publishing
    this.#deps = deps
    this.#options = options
    this.#inFlight = new InFlight(deps.platforms, options)
    this.#platforms = new Map(deps.platforms.map((platform) => [platform.key, platform]))
    this.#heartbeat = new Heartbeat(
      pool,
      deps.clock,
      options,
      deps.log,
      deps.platforms.filter(({ publish }) => publish.sendIsRepeatable).map(({ key }) => key),
    )
    this.#writer = new OutcomeWriter(
      pool,
      options,
      () => deps.clock.now(),
      (error) => deps.log.warn({ err: error }, 'outcomes could not be written yet'),
    )
    this.#context = {
      pool,
      clock: deps.clock,
      keys: deps.secrets,
      ...(deps.apps && { apps: deps.apps }),
      media: deps.media,
      subjects: subjectsByKind(deps.subjects),
      fetch: deps.fetch,
      notify: deps.notify,
      log: deps.log,
      options,
      writer: this.#writer,
      signal: this.#giveUp.signal,
      alive: () => this.#heartbeat.alive,
      onFirstCall: (platform, lag, now) => {
        this.#counted.firstCalls += 1
        this.#counted.lagSum += lag
        this.#punctuality.add(platform, lag, now)
      },
      onAnswered: (platform, service, answer) =>
        this.#inFlight.answered(platform, service, answer, deps.clock.monotonic()),
      // the lane may have more to do at once: its next send, or a follow-up. Once for all outcomes of a commit
      onWritten: (claimed, { ends, kind }) => {
        const platform = kind === 'acknowledged' && this.#platforms.get(claimed.platform)
        if (platform) this.#inFlight.acknowledged(platform, claimed)
        if (ends || claimed.step === 'send') this.#sleep.nudge()
      },
    }
  }

  get nodeId(): string {
    return this.#heartbeat.id
  }

  stats(): DeliveryStats {
    return {
      ...this.#counted,
      inFlight: this.#inFlight.size,
      rescued: this.#heartbeat.rescued,
      held: this.#held,
    }
  }

  async start(): Promise<void> {
    await this.#countHolds()
    if (this.#deps.alone) await this.#heartbeat.rescueAll()
    await this.#heartbeat.start()
    this.#unNudge = onNudge((dueAt) => this.#hear(dueAt))
    this.#loop = this.#run()
  }

  /** Claims nothing more; waits up to `drain` milliseconds for work in flight, then leaves it to other nodes. */
  async stop({ drain }: { drain: number }): Promise<void> {
    this.#stopping = true
    this.#unNudge()
    this.#sleep.nudge()
    await this.#loop
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, drain)))
    await Promise.race([this.#inFlight.over(), patience])
    clearTimeout(timer)
    this.#giveUp.abort()
    await this.keepBooks().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'punctuality could not be written'),
    )
    await this.#heartbeat.stop()
  }

  /** Records punctuality and counts kill switches; to be called about every minute. */
  async keepBooks(): Promise<void> {
    await this.#punctuality.write(this.#context.pool)
    await this.#countHolds()
  }

  async #countHolds(): Promise<void> {
    this.#held = (await activeKillSwitches(this.#context.pool)).length
  }

  /** Something may become due once the caller's transaction has committed. */
  #hear(dueAt: Date | undefined): void {
    if (dueAt && dueAt.getTime() - this.#deps.clock.now().getTime() > this.#options.poll) return
    for (const later of [2, 10, 40]) setTimeout(() => this.#sleep.nudge(), later).unref()
  }

  async #run(): Promise<void> {
    let troubles = 0
    while (!this.#stopping) {
      try {
        await this.#turnOnce()
        troubles = 0
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'publishing could not look at the lanes')
        await this.#sleep.for(backoff(50, troubles, 1000))
        troubles += 1
        await this.#recover()
      }
    }
  }

  async #turnOnce(): Promise<void> {
    if (!this.#heartbeat.fit) return await this.#sleep.rest(this.#options.poll)
    // lanes of a platform without free slots aren't looked at: a released slot wakes us
    const open = this.#inFlight.shares().map(([platform]) => platform)
    if (open.length === 0) return await this.#sleep.rest(this.#options.poll)
    const now = this.#deps.clock.now()
    const wakeAt = await nextWake(this.#context.pool, open)
    const wait = wakeAt === null ? this.#options.poll : Math.min(wakeAt.getTime() - now.getTime(), this.#options.poll)
    if (wait > 0) return await this.#sleep.rest(wait)
    await this.#roomForABatch()
    if (this.#stopping || !this.#heartbeat.fit) return
    const claimed = await this.#claim()
    // a due lane without claims is locked by another transaction, or its platform has no free slots
    if (claimed === 0) await this.#sleep.for(PATIENCE)
  }

  /** Waits until a batch fits, or a few milliseconds as long as anything fits. */
  async #roomForABatch(): Promise<void> {
    const began = this.#deps.clock.monotonic()
    while (!this.#stopping) {
      const { room, roomOfPlatforms } = this.#inFlight
      if (room >= BATCH && roomOfPlatforms >= BATCH) return
      if (this.#impatient && roomOfPlatforms > 0 && room > 0) break
      await this.#sleep.for(PATIENCE)
      this.#impatient = true
      if (this.#inFlight.size === 0 || this.#deps.clock.monotonic() - began > this.#options.poll) break
    }
    this.#impatient = false
  }

  async #claim(): Promise<number> {
    const { clock } = this.#deps
    const shares = new Map(this.#inFlight.shares())
    if (shares.size === 0) return 0
    this.#inFlight.turn()
    this.#counted.claims += 1
    // leases count from before the statement that creates them
    const leases = new Map(
      [...shares.keys()].map((platform) => [
        platform.key as string,
        leaseFor(clock, platform.publish.sendTimeoutSeconds * 1000 + this.#options.leaseSlack),
      ]),
    )
    const nodeId = this.#heartbeat.id
    const offer = {
      now: clock.now(),
      nodeId,
      slots: this.#inFlight.room,
      transfers: this.#inFlight.transfers,
      shares,
      shareOfServer: (platform: Platform) => this.#inFlight.shareOfServer(platform),
      crowded: this.#inFlight.crowded(),
      held: this.#inFlight.heldByServers(),
    }
    const claimed = await claimDeliveries(this.#context.pool, offer, this.#options)
    const freed = () => {
      if (this.#inFlight.room >= Math.min(BATCH, this.#options.slots)) this.#sleep.end()
    }
    for (const one of claimed) {
      const platform = this.#platforms.get(one.platform)
      const lease = leases.get(one.platform)
      const publishing = { ...this.#context, nodeId }
      if (platform && lease)
        this.#inFlight.take(
          platform,
          one,
          () =>
            one.verdict === 'used_up'
              ? recordExhausted(publishing, platform, one)
              : runClaimed(publishing, platform, one, lease),
          freed,
        )
    }
    this.#counted.claimed += claimed.length
    return claimed.length
  }

  /** After a claim whose answer was lost: whatever it claimed is returned, because no work on it had started. */
  async #recover(): Promise<void> {
    try {
      const posts = await this.#heartbeat.giveBack(this.#inFlight.begun())
      if (posts > 0) this.#deps.log.info({ posts }, 'a claim that was never heard of was given back')
    } catch {
      // the database is still unavailable: the next turn tries again
    }
  }
}
