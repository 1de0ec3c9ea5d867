import { CompiledQuery } from 'kysely'
import { Pool } from 'pg'
import { foldCounts } from '#server/dashboard/fold.ts'
import { analyticsRoutes } from '#server/analytics/routes.ts'
import { workedRoutes } from '#server/analytics/workedRoutes.ts'
import { clientConfig } from '#server/db/pools.ts'
import { asTenant } from '#server/db/tenant.ts'
import type { TestHome } from '#server/testing/people.ts'
import { cookieOf } from './_listing.ts'
import { median, openStage } from './_stage.ts'

/*
 * The calls of the insights over two years of 200 channels with 12 figures each and 200,000 published posts with 40 readings each:
 * the statements that a call runs may take 50 ms of the database, by EXPLAIN ANALYZE inside the tenant, which plans them for their
 * values each time, and the call may take twice as long as the same statements without the product, one after the other. The last
 * lines are the same over the whole two years, without a target. `--short`: a tenth of everything. `--data=FOLDER`: filled once, and
 * kept for the next time.
 */
const TARGET = { milliseconds: 50, times: 2 }
const isShort = process.argv.includes('--short')
const kept = process.argv.find((word) => word.startsWith('--data='))?.slice('--data='.length)
const [POSTS, CHANNELS, DAYS] = [isShort ? 20_000 : 200_000, isShort ? 20 : 200, 730]
/** Of each post. */
const READINGS = 40
/** Rows of one statement. */
const PART = 20_000
const TURNS = isShort ? 5 : 15
const platforms = ['facebook', 'instagram', 'linkedin', 'x', 'threads', 'bluesky']
const gained = [
  'views',
  'impressions',
  'reactions',
  'comments',
  'shares',
  'saves',
  'clicks',
  'videoViews',
  'interactions',
  'likes',
  'reposts',
  'readings',
]
const ofChannels = [
  'followers',
  'reach',
  'views',
  'profileViews',
  'followersGained',
  'followersLost',
  'interactions',
  'reactions',
  'comments',
  'shares',
  'profileActions',
  'posts',
]

type Statement = { text: string; values: unknown[] }
const stage = await openStage((deps) => [...analyticsRoutes(deps), ...workedRoutes(deps)], { kept })
const { builders, owner, origin, parts: deps, database } = stage
const bare = new Pool({ ...clientConfig(database.settings.owner, 'bare'), max: 1 })
let recorded: Statement[] | undefined
/** How many calls were measured: names their statements. */
let called = 0
const watched = new WeakSet<object>()
deps.databases.web.on('acquire', (client) => {
  // once each: a client is acquired for every call
  if (watched.has(client)) return
  watched.add(client)
  const query = client.query.bind(client)
  // the same arguments, whichever overload of query they belong to
  client.query = ((...args: unknown[]) => {
    const [config] = args
    if (
      recorded &&
      typeof config === 'object' &&
      config !== null &&
      'text' in config &&
      / (channel|post|label|campaign)/.test(String(config.text))
    )
      recorded.push({
        text: String(config.text),
        values: 'values' in config && Array.isArray(config.values) ? config.values : [],
      })
    return Reflect.apply(query, undefined, args) as unknown
  }) as typeof client.query
})

try {
  const began = performance.now()
  const { home, campaignId } = (await filled()) ?? (await startOver())
  console.log(
    `${POSTS} posts, ${CHANNELS} channels, ${DAYS} days, in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  )

  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  const month = `from=${day(29)}&to=${day(0)}&compareFrom=${day(59)}&compareTo=${day(30)}`
  const years = `from=${day(DAYS)}&to=${day(0)}`
  const hub =
    'viewsAndImpressions,engagements,engagementRate,followers,followersGained,reactions,comments,profileViews&postNames=published,viewsAndImpressions,engagements,engagementRate'
  const compared = 'viewsAndImpressions,engagements,engagementRate,clicks'
  const calls = [
    `summary?${month}&names=${hub}&byPlatform=published,viewsAndImpressions,engagements,followers`,
    `summary?${month}`,
    `summary?${month}&campaignId=${campaignId}`,
    `series?${month}&names=viewsAndImpressions,engagements`,
    `series?${month}&base=postsPublished&names=published,viewsAndImpressions`,
    `series?${month}&names=reactions&by=channel`,
    `series?${month}&names=followers&by=platform`,
    `channels?${month}`,
    `posts?${month}`,
    `posts?${years}&sort=publishedAt&order=asc`,
    `posts?${years}&sort=viewsAndImpressions`,
    `posts?${years}&sort=engagementRate&order=asc`,
    `posts?${years}&sort=reactions&platforms=x`,
    `posts?${years}&sort=saves&campaignId=${campaignId}`,
    `campaigns?${month}&names=${compared}`,
    `campaigns?${month}&ids=${campaignId}`,
    `labels?${month}&names=${compared}`,
    `worked?${month}&by=format`,
    `worked?${month}&by=weekdayHour&figure=engagementRate`,
    'collecting?',
  ]
  const withoutTarget = [
    `summary?${month}&names=${hub}&normal=true`,
    `summary?from=${day(6)}&to=${day(0)}&compareFrom=${day(13)}&compareTo=${day(7)}&names=${hub}&normal=true`,
    `summary?${years}`,
    `series?${years}&names=viewsAndImpressions`,
    `channels?${years}`,
    `campaigns?${years}`,
    `worked?${years}&by=format`,
    `worked?${years}&by=label`,
    `worked?${years}&by=weekdayHour`,
    `worked?${years}&by=length`,
  ]
  let failed = false
  for (const call of [...calls, ...withoutTarget]) {
    const { milliseconds, took, times, bytes } = await measure(home, call)
    const isBeyond = calls.includes(call) && (milliseconds > TARGET.milliseconds || times > TARGET.times)
    if (isBeyond) failed = true
    console.log(
      `${call.replaceAll(campaignId, '…')}: ${milliseconds.toFixed(1)} ms of the database, ${took.toFixed(0)} ms in all, ${times.toFixed(2)} times its bare statements, ${bytes} bytes${isBeyond ? ' BEYOND' : ''}`,
    )
  }
  if (failed) process.exitCode = 1
} finally {
  await bare.end()
  await stage.close()
}

type Place = Pick<TestHome, 'person' | 'orgId' | 'projectId'>

/** What an earlier run filled, with a new admin. */
async function filled(): Promise<{ home: Place; campaignId: string } | null> {
  const { rows } = await owner.query<{ org_id: string; project_id: string; id: string }>(
    'select org_id, project_id, id from campaign order by id limit 1',
  )
  const [campaign] = rows
  if (!campaign) return null
  const person = await builders.person()
  await owner.query('insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, now())', [
    campaign.org_id,
    person.personId,
  ])
  return { home: { person, orgId: campaign.org_id, projectId: campaign.project_id }, campaignId: campaign.id }
}

async function startOver(): Promise<{ home: Place; campaignId: string }> {
  const home = await builders.signedInOwner()
  await owner.query("update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1", [
    home.orgId,
  ])
  const campaignId = await fill(home)
  await foldCounts({ databases: deps.databases, signal: new AbortController().signal })
  await owner.query('vacuum analyze')
  return { home, campaignId }
}

async function measure(home: Place, call: string) {
  called += 1
  const url = `${origin}/api/${home.orgId}/project/${home.projectId}/insights/${call}`
  const ask = async () => {
    const started = performance.now()
    const reply = await fetch(url, { headers: { cookie: cookieOf(home.person) } })
    const body = await reply.arrayBuffer()
    if (!reply.ok) throw new Error(`${call}: ${reply.status} ${Buffer.from(body).toString().slice(0, 300)}`)
    return { took: performance.now() - started, bytes: body.byteLength }
  }
  recorded = []
  const { bytes } = await ask()
  const statements = recorded
  recorded = undefined
  if (statements.length === 0) throw new Error(`${call}: no statements`)
  const explained: number[] = []
  for (let i = 0; i < TURNS; i++) {
    let sum = 0
    for (const { text, values } of statements) sum += await explain(home, text, values)
    explained.push(sum)
  }
  const [mine, plain]: [number[], number[]] = [[], []]
  for (let i = 0; i < TURNS; i++) {
    mine.push((await ask()).took)
    const started = performance.now()
    for (const [nth, { text, values }] of statements.entries())
      await bare.query({ name: `${called} ${nth}`, text, values })
    plain.push(performance.now() - started)
  }
  return { milliseconds: median(explained), took: median(mine), times: median(mine) / median(plain), bytes }
}

async function explain(home: Place, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await asTenant(deps.databases.web, home.orgId, (tx) =>
    tx.executeQuery<{ 'QUERY PLAN': { 'Execution Time': number }[] }>(
      CompiledQuery.raw(`explain (analyze, timing off, format json) ${text}`, [...values]),
    ),
  )
  return rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN
}

/** Two years of everything. Returns a campaign with one post in a hundred. */
async function fill(home: Place): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into channel (org_id, id, project_id, platform, remote_id, name, handle, connected_at, connected_by)
     select $1, uuidv7(), $2, ($4::text[])[1 + n % $5::int], 'remote ' || n, 'Channel ' || n, '@' || n, now(), $3 from generate_series(1, $6::int) n returning id`,
    [home.orgId, home.projectId, home.person.personId, platforms, platforms.length, CHANNELS],
  )
  const channels = rows.map(({ id }) => id)
  await owner.query(
    `insert into channel_figure (org_id, channel_id, day, name, value, read_at)
     select $1, ch, d::date, name, 1000 + extract(doy from d)::int % 90, least(now(), d + interval '4 days')
     from unnest($2::uuid[]) ch cross join unnest($3::text[]) name cross join generate_series(current_date - $4::int, current_date, interval '1 day') d`,
    [home.orgId, channels, ofChannels, DAYS],
  )
  await owner.query(
    `insert into figure_month (org_id, channel_id, kind, name, month, amounts, counts, read, total, total_count)
     select $1, ch, 'gains', name, month, packed(array_agg(at), array_agg((doy % 90)::bigint)), packed(array_agg(at), array_agg(1), 0), packed(array_agg(at), array_agg(0), never_read()), sum(doy % 90), count(*)
     from unnest($2::uuid[]) ch cross join unnest($3::text[]) name cross join (
       select date_trunc('month', d)::date as month, extract(day from d)::int as at, extract(doy from d)::int as doy from generate_series(current_date - $4::int, current_date, interval '1 day') d) days
     group by ch, name, month`,
    [home.orgId, channels, gained, DAYS],
  )
  // what triggers would count row by row is filled as a whole
  for (const table of ['post', 'post_metric']) await owner.query(`alter table ${table} disable trigger user`)
  for (let from = 0; from < POSTS; from += PART)
    await owner.query(
      `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, shown_at, published_at, created_at, updated_at)
       select $1, uuidv7(), $2, ($3::uuid[])[1 + n % cardinality($3::uuid[])], $4, 'PUBLISHED', 'post', '[{"text":"The rooks come back in autumn","media":[]}]', 'The rooks come back to the old elms in autumn.', '{"type":"NOW"}', 'Europe/London', t.at, t.at, t.at, t.at
       from generate_series($5::int + 1, $5::int + $6::int) n, lateral (select now() - n * interval '729 days' / $7::int as at) t`,
      [home.orgId, home.projectId, channels, home.person.personId, from, PART, POSTS],
    )
  await owner.query(
    `insert into measured_post (org_id, id, project_id, channel_id, elsewhere, post_type, published_at, shown_at)
     select org_id, id, project_id, channel_id, false, post_type, published_at, shown_at from post where org_id = $1`,
    [home.orgId],
  )
  await owner.query(
    `insert into post_metric (org_id, post_id, figures, read_at)
     select p.org_id, p.id, jsonb_build_object(case when n % 6 in (2, 3) then 'impressions' else 'views' end, (n * 7919) % 100000, 'reach', n % 5000, 'reactions', (n * 31) % 900, 'comments', n % 40, 'shares', n % 20, 'saves', case when n % 3 = 0 then n % 50 end, 'clicks', n % 70, 'videoViews', null), p.shown_at + interval '40 days'
     from (select *, row_number() over (order by id) as n from post where org_id = $1) p`,
    [home.orgId],
  )
  const { rows: posts } = await owner.query<{ id: string }>('select id from post where org_id = $1 order by id', [
    home.orgId,
  ])
  for (let from = 0; from < posts.length; from += PART)
    await owner.query('select refresh_post_figures($1, $2::uuid[])', [
      home.orgId,
      posts.slice(from, from + PART).map(({ id }) => id),
    ])
  // the readings before the last one
  await owner.query(
    `insert into post_metric (org_id, post_id, figures, read_at)
     select m.org_id, m.post_id, m.figures, m.read_at - n * interval '1 day' from post_metric m cross join generate_series(1, $2::int) n where m.org_id = $1`,
    [home.orgId, READINGS - 1],
  )
  for (const table of ['post', 'post_metric']) await owner.query(`alter table ${table} enable trigger user`)
  const { rows: campaigns } = await owner.query<{ id: string }>(
    `insert into campaign (org_id, id, project_id, name, color, created_at, created_by) select $1, uuidv7(), $2, 'Campaign ' || n, 'blue', now(), $3 from generate_series(1, 20) n returning id`,
    [home.orgId, home.projectId, home.person.personId],
  )
  await owner.query(
    `insert into post_campaign (org_id, post_id, campaign_id)
     select $1, p.id, ($2::uuid[])[1 + (p.n / 5) % 20] from (select id, row_number() over (order by id) as n from post where org_id = $1) p where p.n % 5 = 0`,
    [home.orgId, campaigns.map(({ id }) => id)],
  )
  await owner.query(
    `with made as (insert into label (org_id, id, project_id, name, color, created_at) select $1, uuidv7(), $2, 'Label ' || n, 'blue', now() from generate_series(1, 10) n returning id)
     insert into post_label (org_id, post_id, label_id)
     select $1, p.id, (select array_agg(id) from made)[1 + (p.n / 3) % 10] from (select id, row_number() over (order by id) as n from post where org_id = $1) p where p.n % 3 = 0`,
    [home.orgId, home.projectId],
  )
  return campaigns[0]?.id ?? ''
}
