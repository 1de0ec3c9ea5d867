import { randomUUID } from 'node:crypto'
import { boostAccounts, boostAudiences, postBoosts, startBoost, type Boost, type StartBoost } from '#contract/boosts.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { advanceDue } from '../boosts/advance.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch, type SafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import type { TestHome } from './people.ts'
import { adsIn } from '../simulators/facebookAds.ts'
import { startPlatforms, type OnePlatform, type RunningPlatforms } from '../simulators/start.ts'
import { startApp, type TestApp } from './startApp.ts'

export const ONE_OF_EACH = { campaign: 1, adSet: 1, creative: 1, ad: 1 }
const ORIGIN = 'https://rookery.test'

/**
 * A fixture for tests of promotions: the app, a simulated Facebook with its ad accounts, one project with a paid plan.
 */
export class PromotionHarness {
  readonly app: TestApp
  readonly facebook: OnePlatform
  readonly #outside: RunningPlatforms
  home: TestHome
  /** Breaks the worker at a call, as a kill would. */
  breaksAt: ((url: string, method: string) => boolean) | undefined

  private constructor(app: TestApp, outside: RunningPlatforms, home: TestHome) {
    this.app = app
    this.#outside = outside
    this.facebook = outside.platform('facebook')
    this.home = home
  }

  static async open(): Promise<PromotionHarness> {
    // both are used only once the fixture is open
    const room: { opened?: PromotionHarness } = {}
    const outside = await startPlatforms({ now: () => room.opened?.app.clock.now().getTime() ?? 0 })
    const platforms = composePlatforms({ plcDirectory: 'https://plc.directory', publicUrl: ORIGIN })
    const reach = simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base)
    const fetch: SafeFetch = async (url, request) => {
      const answer = await reach(url, request)
      if (room.opened?.breaksAt?.(url, request.method ?? 'GET')) throw new Error('the worker was killed')
      return answer
    }
    const adapter = platforms('facebook')
    const app = await startApp({
      env: { PUBLIC_URL: ORIGIN, FACEBOOK_CLIENT_ID: 'client', FACEBOOK_CLIENT_SECRET: 'secret' },
      platforms: adapter ? { facebook: adapter } : {},
      fetch,
    })
    room.opened = new PromotionHarness(app, outside, await app.signedInOwner())
    return room.opened
  }

  /** Resets the fixture: no faults, nothing promoted, a new project. */
  async clear(): Promise<void> {
    this.breaksAt = undefined
    this.facebook.faults.clear()
    this.facebook.calls.length = 0
    this.facebook.state.switches.clear()
    for (const key of this.facebook.state.pending.keys())
      if (key.startsWith('ads/')) this.facebook.state.pending.delete(key)
    await this.app.database.owner.query('delete from boost')
    this.home = await this.app.signedInOwner()
    this.underHttps(this.home.person)
    await this.app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [this.home.orgId])
  }

  async close(): Promise<void> {
    await this.app.close()
    await this.#outside.stop()
  }

  /** The cookie's name differs there. */
  underHttps(person: TestHome['person']): void {
    person.cookies.set('__Host-rookery', person.cookies.get('rookery') ?? '')
  }

  as(): { as: TestHome['person'] } {
    return { as: this.home.person }
  }

  async connect(variant: 'ads' | 'page' = 'ads', without: string[] = []): Promise<string> {
    const params = { ...this.home.params, platform: 'facebook' }
    const { url } = await this.app.call(connectAuth, { params, query: { variant } }, this.as())
    const back = await this.#outside.consent(url, { without })
    const { flowId, accounts } = await this.app.call(
      connectCallback,
      { params, body: { state: '', ...Object.fromEntries(back.searchParams) } },
      this.as(),
    )
    const { channels } = await this.app.call(
      connectConfirm,
      { params, body: { flowId, profiles: accounts.slice(0, 1).map(({ remoteId }) => remoteId) } },
      this.as(),
    )
    return channels[0]?.channelId ?? ''
  }

  /** A live post on the channel's Page. */
  async published(channelId: string, columns: Record<string, unknown> = {}): Promise<string> {
    const { rows } = await this.app.database.owner.query<{ remote_id: string }>(
      'select remote_id from channel where id = $1',
      [channelId],
    )
    const page = rows[0]?.remote_id ?? ''
    const now = this.app.clock.now()
    const there = this.facebook.state.publish(
      { id: `${page}_${this.facebook.state.nextId()}`, account: page, kind: 'post', text: 'Good morning' },
      now.getTime(),
    )
    const id = randomUUID()
    const { orgId, projectId, person } = this.home
    const row = {
      org_id: orgId,
      id,
      project_id: projectId,
      channel_id: channelId,
      author_id: person.personId,
      state: 'PUBLISHED',
      post_type: 'post',
      contents: '[{"text":"Good morning","media":[]}]',
      schedule: '{"type":"NOW"}',
      zone: 'Europe/Berlin',
      due_at: now,
      shown_at: now,
      created_at: now,
      updated_at: now,
      published_at: now,
      remote_id: there.id,
      ...columns,
    }
    await this.app.database.owner.query(
      `insert into post (${Object.keys(row).join(', ')}) values (${Object.keys(row)
        .map((_, i) => `$${i + 1}`)
        .join(', ')})`,
      Object.values(row),
    )
    return id
  }

  read(postId: string): Promise<ReplyOf<typeof postBoosts>> {
    return this.app.call(postBoosts, { params: { ...this.home.params, postId } }, this.as())
  }

  /** The newest of the post. */
  async boost(postId: string): Promise<Boost> {
    const [newest] = (await this.read(postId)).boosts
    if (!newest) throw new Error('nothing is promoted')
    return newest
  }

  /** What a person would choose: the first account, its first audience, 25.00 for five days. */
  async choice(postId: string): Promise<StartBoost> {
    const params = { ...this.home.params, postId }
    const { accounts } = await this.app.call(boostAccounts, { params }, this.as())
    const adAccountId = accounts[0]?.adAccountId ?? ''
    const { audiences } = await this.app.call(boostAudiences, { params, query: { adAccountId } }, this.as())
    return { boostId: randomUUID(), adAccountId, audienceId: audiences[0]?.audienceId ?? '', budget: 2500, days: 5 }
  }

  async begun(): Promise<{ postId: string; boostId: string; channelId: string }> {
    const channelId = await this.connect()
    const postId = await this.published(channelId)
    const { boostId } = await this.app.call(
      startBoost,
      { params: { ...this.home.params, postId }, body: await this.choice(postId) },
      this.as(),
    )
    return { postId, boostId, channelId }
  }

  /** Runs the job once: returns how many promotions it handled. */
  run(): Promise<number> {
    const { parts: deps } = this.app
    return advanceDue(deps, {
      databases: deps.databases,
      clock: this.app.clock,
      log: deps.log,
      signal: new AbortController().signal,
    })
  }

  /** Runs the job whenever something is due, for this many minutes. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      this.app.clock.advance({ minutes: 1 })
      await this.run()
    }
  }

  /** The objects on the platform. */
  things(): ReturnType<typeof adsIn> {
    return adsIn(this.facebook.state)
  }

  counted(): Record<string, number> {
    return Object.fromEntries(
      Object.keys(ONE_OF_EACH).map((kind) => [
        kind,
        this.things().filter((one) => one.kind === kind && one.status !== 'DELETED').length,
      ]),
    )
  }
}
