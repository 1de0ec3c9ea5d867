import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { insightsImport } from '#contract/analytics/collecting.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import { lookup } from '#contract/lookups.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { appKeys, platformKeys, type LookupKind, type PlatformKey } from '#contract/platforms/rules.ts'
import { getPost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { openMedia } from '../media/open.ts'
import { mediaLinks } from '../media/links.ts'
import { storeKey } from '../media/keep.ts'
import { createNotification } from '../notifications/create.ts'
import type { Log } from '../log.ts'
import { startPublishing, type Publishing } from '../publishing/start.ts'
import { isAsApproved } from '../approvals/guard.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { publishNatives } from '../simulators/natives.ts'
import { worldIdOf } from '../simulators/past.ts'
import { readOwnPosts } from '../insights/importPosts.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { createSafeFetch } from './safeFetch.ts'
import { composePlatforms, hostsOf } from './registry.ts'
import { simulated } from './simulated.ts'

/*
 * The main job through the whole product: an account of every platform is connected on its page, the composer's call
 * sends one post to all of them, and each is live with its URL. Afterwards, all logs and every row of the database are
 * searched for tokens. Bluesky is tested against its real server (bluesky/*.pds.test.ts).
 */

const OURS = 'https://rookery.test'
const SECRET = 'canary-app-secret'
const platforms = composePlatforms({ plcDirectory: 'https://plc.directory', publicUrl: OURS })
const keys = platformKeys.filter((key) => key !== 'bluesky' && platforms(key) !== undefined)

let outside: RunningPlatforms
let app: TestApp
let home: TestHome
let publishing: Publishing
const channels = new Map<PlatformKey, string>()
const lines: string[] = []
const heard = (facts: object, line: string): void =>
  void lines.push(
    `${line} ${JSON.stringify(facts, (_, value: unknown) => (value instanceof Error ? `${value.stack}` : value))}`,
  )
const log: Log = { info: heard, warn: heard, error: heard }

beforeAll(async () => {
  let origin = ''
  // the platforms' requests for our files come to this app
  outside = await startPlatforms({
    fetcher: (url) => fetch(url.replace(OURS, origin)),
    now: () => app.clock.now().getTime(),
  })
  const reach = simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base)
  const credentials = Object.fromEntries(
    appKeys.flatMap((key) => [
      [`${key.toUpperCase()}_CLIENT_ID`, `client-of-${key}`],
      [`${key.toUpperCase()}_CLIENT_SECRET`, SECRET],
    ]),
  )
  const all = Object.fromEntries(
    keys.flatMap((key) => {
      const adapter = platforms(key)
      return adapter ? [[key, adapter]] : []
    }),
  )
  app = await startApp({
    env: { PUBLIC_URL: OURS, ...credentials },
    platforms: all,
    fetch: reach,
    parts: (deps) => ({ ...deps, log }),
  })
  origin = await app.listen()
  home = await app.signedInOwner()
  home.person.cookies.set('__Host-rookery', home.person.cookies.get('rookery') ?? '')
  await app.database.owner.query(
    "update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
    [home.orgId],
  )
  publishing = await startPublishing({
    isAsApproved,
    databases: app.parts.databases,
    clock: app.clock,
    platforms: keys.flatMap((key) => platforms(key) ?? []),
    secrets: app.parts.secrets,
    apps: app.parts.apps,
    media: openMedia(app.parts.databases.background, app.parts.media, mediaLinks(app.parts)),
    fetch: reach,
    notify: createNotification,
    log,
    options: { backoff: 50, poll: 100, clockTolerance: 0, heartbeat: 3_600_000, watchdog: 0 },
  })
})
afterAll(async () => {
  await publishing.stop({ drain: 0 })
  await app.close()
  await outside.stop()
})

const as = () => ({ as: home.person })

async function connect(platform: PlatformKey): Promise<string> {
  const params = { ...home.params, platform }
  const { url } = await app.call(connectAuth, { params, query: { domain: 'birdhouse.simulated' } }, as())
  const back = await outside.consent(url)
  const { flowId, accounts } = await app.call(
    connectCallback,
    { params, body: { state: '', ...Object.fromEntries(back.searchParams) } },
    as(),
  )
  const { channels: made } = await app.call(
    connectConfirm,
    { params, body: { flowId, profiles: accounts.slice(0, 1).map(({ remoteId }) => remoteId) } },
    as(),
  )
  return made[0]?.channelId ?? ''
}

type Composed = z.input<typeof Submit>['channels'][number]

async function firstOf(channelId: string, kind: LookupKind): Promise<string> {
  const { items } = await app.call(lookup, { params: { ...home.params, channelId, kind }, query: {} }, as())
  return items[0]?.id ?? ''
}

async function video(): Promise<string> {
  const [id, bytes] = [randomUUIDv7(), Buffer.alloc(400_000, 7)]
  const key = storeKey(home.orgId, id)
  await app.parts.media.put(key, bytes)
  await app.database.owner.query(
    "insert into asset (org_id, id, project_id, state, file_name, content_type, bytes, width, height, seconds, store_key, created_at, created_by) values ($1, $2, $3, 'ready', 'rooks.mp4', 'video/mp4', $4, 1080, 1920, 20, $5, $6, $7)",
    [home.orgId, id, home.projectId, bytes.length, key, app.clock.now(), home.person.personId],
  )
  return id
}

/** The post for each platform: its first post type, with what its rules require. */
async function composed(platform: PlatformKey, channelId: string): Promise<Composed> {
  const postType =
    platform === 'youtube'
      ? 'video'
      : platform === 'googlemybusiness'
        ? 'update'
        : platform === 'pinterest'
          ? 'pin'
          : 'post'
  const rules = rulesFor(platform, postType)
  if (!rules) throw new Error(`${platform} takes no ${postType}`)
  const needsVideo = rules.mediaRequired && rules.images.most === 0
  const picture =
    rules.mediaRequired && !needsVideo
      ? [{ assetId: await contentOn(app.parts).picture(home, { width: 1080, height: 1080 }) }]
      : []
  const media = needsVideo ? [{ assetId: await video() }] : picture
  const additionalDetails: Record<string, unknown> = {}
  for (const { field, required, options, preset } of rules.details) {
    if (field === 'boardId') additionalDetails[field] = await firstOf(channelId, 'boards')
    else if (field === 'privacy')
      additionalDetails[field] = platforms(platform)?.lookups?.creator
        ? await firstOf(channelId, 'creator')
        : (preset ?? options?.[0]?.value)
    else if (field === 'madeForKids') additionalDetails[field] = false
    else if (required) additionalDetails[field] = preset ?? options?.[0]?.value
  }
  return {
    channelId,
    postType,
    contents: [{ text: 'Rooks fly home at dusk', media, ...(rules.title && { title: 'Rooks' }) }],
    additionalDetails,
  }
}

describe('with an account of every platform', () => {
  it.each(keys)('connects %s on its page', async (platform) => {
    const channelId = await connect(platform)
    expect(channelId).not.toBe('')
    channels.set(platform, channelId)
  })

  it('publishes one post to all of them, each live with its URL', async () => {
    const parts = await Promise.all([...channels].map(([platform, channelId]) => composed(platform, channelId)))
    const { posts } = await app.call(
      submitPost,
      { params: home.params, body: { intent: 'PUBLISH', channels: parts, schedule: { type: 'NOW' } } },
      as(),
    )
    expect(posts).toHaveLength(keys.length)
    const stand = async () => {
      app.clock.advance({ seconds: 2 })
      const each = await Promise.all(
        posts.map(({ postId }) => app.call(getPost, { params: { ...home.params, postId } }, as())),
      )
      return each.map(({ channel, status, permalink, failure }) => ({
        platform: channel?.platformName,
        status,
        isLinked: permalink !== null,
        reason: failure?.code ?? null,
      }))
    }
    let last: Awaited<ReturnType<typeof stand>> = []
    await until(
      async () => (last = await stand()).every(({ status }) => status === 'PUBLISHED' || status === 'FAILED'),
      { deadline: 60_000, what: 'every post to come to an end' },
    ).catch(() => {})
    expect(last.toSorted((a, b) => String(a.platform).localeCompare(String(b.platform)))).toEqual(
      keys.toSorted().map((platform) => ({ platform, status: 'PUBLISHED', isLinked: true, reason: null })),
    )
    for (const key of keys) expect(outside.platform(key).violations).toEqual([])
  })

  it('finds what else was published on each account, and its own post among it, once each', async () => {
    const { owner, databases } = app.database
    const listed = keys.filter((key) => platforms(key)?.ownPosts)
    const { rows: accounts } = await owner.query<{ id: string; remote_id: string; platform: PlatformKey }>(
      'select id, remote_id, platform from channel where org_id = $1 and platform = any($2)',
      [home.orgId, listed],
    )
    const natives = new Map(
      accounts.map(({ platform, remote_id: remoteId }) => {
        const from = worldIdOf(remoteId)
        const { state } = outside.platform(platform)
        // before the post of ours, and after it
        const made = [
          ...publishNatives(state, { from, text: 'In the app', count: 130, days: 30 }, app.clock.now().getTime()),
          ...publishNatives(state, { from, text: 'And later', count: 1, days: 0 }, app.clock.now().getTime() + 1000),
        ]
        return [platform, made.length]
      }),
    )
    await owner.query(
      'insert into inbox_cost (org_id, platform, monthly_limit, month) select $1, p, 10000000, $2 from unnest($3::text[]) p',
      [home.orgId, '2026-11-01', listed],
    )
    const context = { databases, clock: app.clock, log, signal: new AbortController().signal }
    await readOwnPosts(app.parts, context)
    for (const { id: channelId } of accounts)
      await app.call(insightsImport, { params: home.params, body: { channelId } }, as())
    for (let run = 0; run < 6; run++) {
      app.clock.advance({ hours: 1 })
      await readOwnPosts(app.parts, context)
    }
    const { rows } = await owner.query<{ platform: PlatformKey; ours: number; elsewhere: number; problem: unknown }>(
      `select c.platform, count(*) filter (where not m.elsewhere)::int as ours, count(*) filter (where m.elsewhere)::int as elsewhere,
         (select s.problem from insight_sync s where s.channel_id = c.id and s.kind = 'posts') as problem
       from channel c left join measured_post m on m.channel_id = c.id where c.id = any($1) group by c.id, c.platform order by c.platform`,
      [accounts.map(({ id }) => id)],
    )
    expect(rows).toEqual(
      listed
        .toSorted()
        .map((platform) => ({ platform, ours: 1, elsewhere: natives.get(platform) ?? 0, problem: null }))
        // the channel is a profile, and LinkedIn lists Pages only
        .map((row) =>
          row.platform === 'linkedin'
            ? { ...row, elsewhere: 0, problem: expect.objectContaining({ code: 'linkedin-profile-posts-closed' }) }
            : row,
        ),
    )
  })

  it('logs no token or secret, and stores them only encrypted', async () => {
    const tokens = [...new Set(keys.flatMap((key) => [...outside.platform(key).state.tokens.keys()])), SECRET]
    expect(tokens.length).toBeGreaterThan(keys.length)
    expect(tokens.filter((token) => lines.some((line) => line.includes(token)))).toEqual([])
    const { owner } = app.database
    const { rows: tables } = await owner.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await owner.query<{ text: string }>(`select t::text as text from ${name} t`)
      // bytes are shown as hex
      found.push(
        ...tokens
          .filter((token) =>
            rows.some(({ text }) => text.includes(token) || text.includes(Buffer.from(token).toString('hex'))),
          )
          .map((token) => `${token} in ${name}`),
      )
    }
    expect(found).toEqual([])
    // proves that the search would find a token
    await owner.query(
      "insert into notice (org_id, id, person_id, dedupe_key, kind, params, created_at, updated_at) values ($1, $2, $3, 'canary', 'post-failed', jsonb_build_object('title', $4::text), now(), now())",
      [home.orgId, randomUUIDv7(), home.person.personId, tokens[0]],
    )
    expect(
      (await owner.query<{ text: string }>('select t::text as text from notice t')).rows.some(({ text }) =>
        text.includes(tokens[0] ?? ''),
      ),
    ).toBe(true)
  })
})
