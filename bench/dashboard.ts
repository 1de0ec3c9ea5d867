import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { RawBuilder } from 'kysely'
import { systemRoles } from '#contract/permissions.ts'
import { Pool } from 'pg'
import { postChartJson, postStatusJson, type Asker } from '#server/dashboard/counts.ts'
import { daysOf } from '#server/rangeDays.ts'
import { foldCounts } from '#server/dashboard/fold.ts'
import { channelsPage, postsPage } from '#server/dashboard/lists.ts'
import { dashboardRoutes } from '#server/dashboard/routes.ts'
import { asTenant } from '#server/db/tenant.ts'
import { clientConfig } from '#server/db/pools.ts'
import type { TestHome } from '#server/testing/people.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage } from './_stage.ts'

/*
 * The dashboard's seven calls for an organization with 200,000 posts and 2 years of metrics, over HTTP at 8
 * connections: the product (session, access, row-level security, contract) against a bare node:http server that returns
 * the same query's JSON, in turns in one run. Each may cost twice its bare query; so may all seven together.
 */
const TARGET = 2
const CONNECTIONS = 8
const POSTS = 200_000
const CHANNELS = 10
/** What the bare server queries if the product queries nothing. */
const NOTHING = "select '{}' as json"
const TURNS = process.argv.includes('--short') ? 8 : 40

const stage = await openStage((deps) => dashboardRoutes(deps))
const { builders, content, owner, origin, parts: deps, database } = stage
const barePool = new Pool({ ...clientConfig(database.settings.owner, 'bare'), max: deps.databases.web.options.max })
barePool.on('error', () => {})
const bare = createServer((request, response) => {
  const query = statements.get((request.url ?? '').slice(1))
  if (!query) {
    response.writeHead(404).end()
    return
  }
  barePool.query(query).then(
    ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(rows[0].json ?? rows[0].items),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
type Statement = { name: string; text: string; values: unknown[] }
const statements = new Map<string, Statement>()

try {
  const [home, other] = [await builders.signedInOwner(), await builders.signedInOwner()]
  const began = performance.now()
  await fill(home, POSTS)
  await fill(other, POSTS / 4)
  const lines = await foldCounts({ databases: deps.databases, signal: new AbortController().signal })
  // includes the rows of changes since the last fold
  await owner.query(
    "update post set state = 'FAILED' where id in (select id from post where org_id = $1 and state = 'PUBLISHED' order by shown_at desc limit 500)",
    [home.orgId],
  )
  await owner.query('vacuum analyze')
  console.log(
    `${POSTS.toLocaleString('en')} posts, a quarter as many of another tenant, ${lines.toLocaleString('en')} lines folded, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )

  const now = new Date()
  const { permissions } = systemRoles.admin
  const project = { projectId: home.projectId, channelIds: null, permissions }
  const asker: Asker = { org: home, project, caller: home.person, now }
  const range = daysOf('thirty', now, 'Europe/London')
  const calls: Record<string, RawBuilder<unknown> | string> = {
    'channels?page=1&limit=10': channelsPage(asker, { page: 1, limit: 10 }),
    'postStatus?rangeType=thirty': postStatusJson(asker, range),
    'postChart?rangeType=thirty': postChartJson(asker, range),
    // its statements are those of the insights, which bench/analytics.ts measures
    'brandEngagement?rangeType=thirty': NOTHING,
    'inboxStats?rangeType=thirty': NOTHING,
    'posts?status=SCHEDULED&page=1&limit=10': postsPage(asker, ['SCHEDULED'], { page: 1, limit: 10 }),
    'draftPosts?page=1&limit=10': postsPage(asker, ['DRAFTS'], { page: 1, limit: 10 }),
  }
  for (const [name, query] of Object.entries(calls)) {
    const { sql, parameters } =
      typeof query === 'string'
        ? { sql: query, parameters: [] }
        : await asTenant(deps.databases.web, home.orgId, async (tx) => query.compile(tx))
    statements.set(name, { name: `bare ${statements.size}`, text: sql, values: [...parameters] })
  }
  const bareOrigin = await new Promise<string>((resolve) => {
    // listening on a port, the address is an object
    bare.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(bare.address() as AddressInfo).port}`))
  })
  let [ours, theirs, failed] = [0, 0, false]
  for (const name of statements.keys()) {
    const product = {
      origin,
      path: `/api/${home.orgId}/project/${home.projectId}/dashboard/${name}`,
      cookie: cookieOf(home.person),
    }
    const { ratio, mine, its } = await compare(product, { origin: bareOrigin, path: `/${name}`, cookie: '' })
    ours += mine
    theirs += its
    // a call without a query of its own is all session check: it only counts in the sum
    if (ratio > TARGET && calls[name] !== NOTHING) failed = true
    console.log(
      `${name}: ${mine.toFixed(2)} ms of the machine, bare ${its.toFixed(2)} ms, ${ratio.toFixed(2)} times${calls[name] === NOTHING ? ' (it has no query)' : ''}`,
    )
  }
  console.log(
    `the seven of one screen: ${(ours / theirs).toFixed(2)} times their bare queries at ${CONNECTIONS} connections, target at most ${TARGET} for each`,
  )
  if (failed || ours / theirs > TARGET) process.exitCode = 1
} finally {
  bare.close()
  await barePool.end()
  await stage.close()
}

type Target = { origin: string; path: string; cookie: string }

/** The median of the cost ratios, turn by turn, and the median costs in milliseconds (on a busy machine). */
async function compare(product: Target, plain: Target): Promise<{ ratio: number; mine: number; its: number }> {
  const program = fileURLToPath(new URL('_load.ts', import.meta.url))
  const run = async (turns: number) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, JSON.stringify({ targets: [product, plain], turns, milliseconds: 250, connections: CONNECTIONS })],
      { maxBuffer: 64_000_000 },
    )
    // printed by bench/_load.ts
    return (JSON.parse(stdout) as { turns: { answers: number; seconds: number }[] }[]).map(({ turns: all }) =>
      all.map(({ answers, seconds }) => (1000 * seconds) / answers),
    )
  }
  await run(2)
  const [mine = [], its = []] = await run(TURNS)
  return { ratio: median(mine.map((cost, i) => cost / (its[i] ?? Number.NaN))), mine: median(mine), its: median(its) }
}

/**
 * Two years of posts on ten channels, one in fifty still to come, some drafts; three readings of each published one.
 */
async function fill(home: TestHome, count: number): Promise<void> {
  const channels: string[] = []
  for (let i = 0; i < CHANNELS; i++) channels.push(await content.channel(home))
  const part = 20_000
  for (let from = 0; from < count; from += part) {
    await owner.query(
      `with made as (
         insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, published_at, created_at, updated_at)
         select $1, uuidv7(), $2, ($3::uuid[])[1 + n % cardinality($3::uuid[])], $4, case when n % 50 = 0 then 'SCHEDULED' when n % 97 = 0 then 'DRAFTS' when n % 89 = 0 then 'FAILED' else 'PUBLISHED' end, 'post', '[{"text":"The rooks come back in autumn","media":[]}]',
           'The rooks come back to the old elms in autumn.', '{"type":"NOW"}', 'Europe/London', t.at, t.at, case when n % 50 <> 0 and n % 97 <> 0 and n % 89 <> 0 then t.at end, t.at, t.at
         from generate_series($5::int + 1, $5::int + $6::int) n, lateral (select case when n % 50 = 0 then now() + (n % 1000) * interval '1 hour' else now() - n * interval '730 days' / $7::int end as at) t
         returning org_id, id, published_at)
       select count(*) from made`,
      [home.orgId, home.projectId, channels, home.person.personId, from, part, count],
    )
  }
  for (const [hours, times] of [
    [1, 1],
    [24, 3],
    [168, 4],
  ])
    await owner.query(
      `insert into post_metric (org_id, post_id, figures, read_at)
       select p.org_id, p.id, jsonb_build_object('impressions', $3::int * (10 + n % 90), 'reach', null, 'reactions', $3::int * (n % 9), 'comments', $3::int * (n % 3), 'shares', n % 2, 'saves', null, 'clicks', null, 'videoViews', null), r.at
       from (select *, row_number() over () as n from post where org_id = $1 and published_at is not null) p, lateral (select p.published_at + $2 * interval '1 hour' as at) r where r.at <= now()
       on conflict do nothing`,
      [home.orgId, hours, times],
    )
}
