import { detailText } from '#contract/timeline.ts'
import { transitions, type PostState } from '#contract/postStates.ts'
import { WEEKS } from './publishingOf.ts'
import { testClock, type TestClock } from '../clock.ts'
import { createNotification } from '../notifications/create.ts'
import type { Platform } from '../platforms/platform.ts'
import { composePlatforms } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { startPublishing, type Publishing, type PublishingDeps } from '../publishing/start.ts'
import { isAsApproved } from '../approvals/guard.ts'
import { clearingTables } from './clearTables.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import {
  makeChannels,
  makePublishingFixture,
  makePosts,
  quietLog,
  simulatedSecret,
  testKeys,
  type PublishingFixture,
  type NewPost,
  type TestChannel,
} from './publishing.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { noFaults } from '../simulators/bluesky/faults.ts'
import { postWithDelivery } from './deliveries.ts'
import { passesUntil } from './passesUntil.ts'
import { until } from './until.ts'

/**
 * A fixture for tests of publishing: a real database, a simulated Bluesky, a clock that the test advances, one channel.
 */
export class PublishingHarness {
  readonly database: TestDatabase
  readonly simulator: Simulator
  clock: TestClock = testClock(ROOM_START)
  house: PublishingFixture = { orgId: '', projectId: '', personId: '' }
  channel: TestChannel = { channelId: '', handle: '', did: '' }
  #started: Publishing[] = []

  constructor(database: TestDatabase, simulator: Simulator) {
    this.database = database
    this.simulator = simulator
  }

  static async open(): Promise<PublishingHarness> {
    const database = await createTestDatabase()
    await database.owner.query(WATCH_MOVES)
    await clearingTables(database)
    return new PublishingHarness(database, await startBlueskySimulator())
  }

  /** Resets the fixture: a new organization with one channel, the clock at its start, no faults. */
  async clear(): Promise<void> {
    this.clock = testClock(ROOM_START)
    this.simulator.setFaults(noFaults)
    await this.database.owner.query('select clear_tables()')
    this.house = await makePublishingFixture(this.database.owner, this.clock.now())
    this.channel = await this.moreChannels()
  }

  async moreChannels(): Promise<TestChannel> {
    const [made] = await makeChannels(this.database.owner, this.house, 1, {
      now: this.clock.now(),
      secret: ({ did }) => simulatedSecret(this.simulator.origin, did),
    })
    if (!made) throw new Error('no channel')
    return made
  }

  /** An engine with the real adapter, or another one. */
  async start(changed: Partial<PublishingDeps> = {}): Promise<Publishing> {
    const publishing = await startPublishing({
      isAsApproved,
      databases: this.database.databases,
      clock: this.clock,
      platforms: [adapter()],
      secrets: testKeys,
      media: async () => new Map(),
      fetch: createSafeFetch({ allow: [this.simulator.allow] }),
      notify: createNotification,
      log: quietLog,
      ...changed,
      options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: WEEKS, ...changed.options },
    })
    this.#started.push(publishing)
    return publishing
  }

  async stopAll(drain = 5000): Promise<void> {
    await Promise.all(this.#started.map((publishing) => publishing.stop({ drain })))
    this.#started = []
  }

  /** Throws if the engine ever made a status change that the contract doesn't allow. */
  async #checkMoves(): Promise<void> {
    const { rows } = await this.database.owner.query<{ was: PostState; became: PostState }>(
      'select distinct was, became from move',
    )
    const strange = rows.filter(({ was, became }) => !transitions[was].includes(became))
    if (strange.length > 0)
      throw new Error(
        `Moves that contract/postStates.ts lacks: ${strange.map(({ was, became }) => `${was} to ${became}`).join(', ')}`,
      )
  }

  async close(): Promise<void> {
    await this.stopAll()
    await this.#checkMoves()
    await this.simulator.stop()
    await this.database.drop()
  }

  inMinutes(minutes: number): Date {
    return new Date(this.clock.now().getTime() + minutes * 60_000)
  }

  /** Schedules posts on the fixture's channel through the verbs' own function. */
  posts(posts: readonly (Partial<NewPost> & { text: string; minutes: number })[]): Promise<string[]> {
    const rows = posts.map(({ minutes, ...post }) => ({
      channelId: this.channel.channelId,
      dueAt: this.inMinutes(minutes),
      ...post,
    }))
    return makePosts(
      { owner: this.database.owner, databases: this.database.databases, clock: this.clock },
      this.house,
      rows,
    )
  }

  async post(minutes: number, text: string): Promise<string> {
    const [id = ''] = await this.posts([{ minutes, text }])
    return id
  }

  async row(id: string): Promise<Record<string, unknown>> {
    return await postWithDelivery(this.database.owner, id)
  }

  async timeline(id: string): Promise<string[]> {
    const { rows } = await this.database.owner.query<{ kind: string }>(
      'select kind from post_event where post_id = $1 order by at, id',
      [id],
    )
    return rows.map((row) => row.kind)
  }

  /** The details of its timeline entries, as text. */
  async timelineNotes(id: string): Promise<(string | null)[]> {
    const { rows } = await this.database.owner.query<{ detail: unknown }>(
      'select detail from post_event where post_id = $1 order by at, id',
      [id],
    )
    return rows.map(({ detail }) => detailText(detail))
  }

  /** Waits while the clock advances by a few milliseconds: failed work is retried after some. */
  async reaches(id: string, state: string): Promise<void> {
    const asked = async () => {
      this.clock.advance({ ms: 5 })
      return (await this.row(id)).state === state
    }
    await until(asked, { what: `state ${state}` })
  }

  /** Advances the clock until the condition is true, from one due step to the next. */
  passesUntil(isSo: () => Promise<boolean>, what?: string): Promise<void> {
    return passesUntil({ owner: this.database.owner, clock: this.clock }, isSo, what)
  }

  /** How often the platform accepted a post with this text. */
  commits(text: string): number {
    return this.simulator.ledger.filter((entry) => entry.did === this.channel.did && entry.text === text).length
  }
}

const WATCH_MOVES = `
  create table move (was text, became text);
  grant insert on move to public;
  create function note_move() returns trigger language plpgsql as $$ begin insert into move values (old.state, new.state); return new; end $$;
  create trigger note_move after update on post for each row when (old.state <> new.state) execute function note_move()`
const ROOM_START = new Date('2026-11-21T12:00:00Z')

export function adapter(): Platform {
  const found = composePlatforms({ plcDirectory: 'https://plc.test' })('bluesky')
  if (!found) throw new Error('no adapter')
  return found
}
