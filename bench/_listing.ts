import { execFile } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { Pool as HttpPool, request } from 'undici'
import type { contentOn } from '#server/testing/content.ts'
import type { Builders, TestHome } from '#server/testing/people.ts'
import { median } from './_stage.ts'

/* The list of a month's 300 posts, which several benchmarks read. */

export const CONNECTIONS = 32
export const FROM = '2026-11-01T00:00:00.000Z'
export const TO = '2026-12-01T00:00:00.000Z'

export type Filled = { home: TestHome; channels: string[]; cookie: string }
/** `tag`: the ETag of a held reply; then 304 is expected. */
export type Target = { origin: string; path: string; cookie: string; tag?: string }

/** 20 other tenants and other months around the 300 posts that are requested. */
export async function fill(builders: Builders, content: ReturnType<typeof contentOn>, owner: Pool): Promise<Filled> {
  const home = await builders.signedInOwner()
  let own: string[] = []
  for (const each of [home, ...(await Promise.all(Array.from({ length: 20 }, () => builders.signedInOwner())))]) {
    const channels = [await content.channel(each), await content.channel(each), await content.channel(each)]
    if (each === home) own = channels
    for (const [month, count] of [
      ['2026-11-01', 300],
      ['2026-08-01', 900],
      ['2027-01-01', 900],
    ] as const)
      await posts(owner, each.orgId, each.projectId, each.person.personId, channels, month, count)
  }
  await shelve(owner)
  await owner.query('vacuum analyze')
  return { home, channels: own, cookie: cookieOf(home.person) }
}

export const cookieOf = ({ cookies }: { cookies: Map<string, string> }): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function posts(
  pool: Pool,
  orgId: string,
  projectId: string,
  personId: string,
  channels: string[],
  month: string,
  count: number,
): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUIDv7())
  await pool.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, created_at, updated_at)
     select $1, g.id, $2, ($3::uuid[])[1 + g.n % 3], $4, case when g.n % 5 = 0 then 'PUBLISHED' else 'SCHEDULED' end, 'post', '[{"text":"x","media":[]}]',
       left(repeat('The rooks come back to the old elms in autumn. ', 5), 160), '{"type":"NOW"}', 'Europe/London', t.at, t.at, t.at, t.at
     from unnest($5::uuid[]) with ordinality as g(id, n), lateral (select $6::timestamptz + g.n * interval '2 hours' as at) t`,
    [orgId, projectId, channels, personId, ids, month],
  )
}

/** Adds six labels to every project, one or two of them to every second post, and a campaign to every fourth. */
export async function shelve(pool: Pool): Promise<void> {
  await pool.query(
    "insert into label (org_id, id, project_id, name, color, created_at) select p.org_id, uuidv7(), p.id, 'Label ' || n, 'blue', now() from project p, generate_series(1, 6) n",
  )
  await pool.query(
    "insert into campaign (org_id, id, project_id, name, color, created_at, created_by) select p.org_id, uuidv7(), p.id, 'Launch', 'blue', now(), (select person_id from member m where m.org_id = p.org_id limit 1) from project p",
  )
  await pool.query(`insert into post_label (org_id, post_id, label_id)
    select p.org_id, p.id, l.id from (select org_id, project_id, id, row_number() over (partition by org_id order by id) as n from post) p
    join (select org_id, project_id, id, row_number() over (partition by org_id, project_id order by id) as n from label) l on l.org_id = p.org_id and l.project_id = p.project_id
    where p.n % 2 = 0 and (l.n = 1 + p.n % 6 or (p.n % 4 = 0 and l.n = 1 + (p.n / 2) % 6)) on conflict do nothing`)
  await pool.query(`insert into post_campaign (org_id, post_id, campaign_id)
    select p.org_id, p.id, k.id from (select org_id, project_id, id, row_number() over (partition by org_id order by id) as n from post) p join campaign k on k.org_id = p.org_id and k.project_id = p.project_id where p.n % 4 = 0`)
}

/** How many bytes the response's body has on the wire. */
export async function bytesOf({ origin, path, cookie }: Target, encoding: 'br' | 'identity'): Promise<number> {
  const { body } = await request(origin + path, { headers: { cookie, 'accept-encoding': encoding } })
  return (await body.arrayBuffer()).byteLength
}

/** Both return the same posts; otherwise there's nothing to compare. */
export async function check(a: Target, b: Target): Promise<void> {
  const read = async ({ origin, path, cookie }: Target) =>
    (await (await fetch(origin + path, { headers: { cookie } })).json()) as { posts: { postId: string }[] }
  const [ours, theirs] = [await read(a), await read(b)]
  if (ours.posts?.length !== 300 || JSON.stringify(ours.posts) !== JSON.stringify(theirs.posts))
    throw new Error('the two do not answer the same 300 posts')
}

/**
 * Loads both in short turns, each going first as often as the other, and returns the median of the ratios of ours to
 * theirs, turn by turn: another program that takes the machine for a moment only spoils some of them.
 */
export async function compare(
  ours: Target,
  theirs: Target,
  names: readonly [string, string],
  turns: number,
): Promise<number> {
  await load([ours, theirs], 4)
  const [mine, other] = await load([ours, theirs], turns)
  if (!mine || !other) throw new Error('the load told of fewer targets than it was given')
  const rateOf = ({ answers, seconds }: Turn) => answers / seconds
  const ratios = mine.turns.flatMap((turn, i) => {
    const beside = other.turns[i]
    return beside ? [rateOf(turn) / rateOf(beside)] : []
  })
  for (const [name, { turns: all, times }] of [
    [names[0], mine],
    [names[1], other],
  ] as const)
    console.log(
      `${name}: ${median(all.map(rateOf)).toFixed(0)}/s (p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms), ${all.length} turns`,
    )
  return median(ratios)
}

/**
 * Requests both in turn, one at a time, and returns the ratio of their median times, theirs to ours. Other work on the
 * machine slows both alike, which second-long rounds on a busy machine don't show.
 */
export async function comparePairs(
  ours: Target,
  theirs: Target,
  pairs: number,
): Promise<{ ratio: number; ours: number; theirs: number }> {
  const pool = new HttpPool(ours.origin, { connections: 1, pipelining: 1 })
  const ask = async ({ path, cookie }: Target): Promise<number> => {
    const begun = performance.now()
    const { body } = await pool.request({ method: 'GET', path, headers: cookie ? { cookie } : {} })
    await body.arrayBuffer()
    return performance.now() - begun
  }
  const [mine, other]: [number[], number[]] = [[], []]
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) mine.push(await ask(ours))
    other.push(await ask(theirs))
    if (pair % 2 === 1) mine.push(await ask(ours))
  }
  await pool.close()
  return { ratio: median(other) / median(mine), ours: median(mine), theirs: median(other) }
}

type Turn = { answers: number; seconds: number }
type Load = { turns: Turn[]; /** Milliseconds, sorted. */ times: number[] }

async function load(targets: readonly Target[], turns: number): Promise<Load[]> {
  const program = fileURLToPath(new URL('_load.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, JSON.stringify({ targets, turns, milliseconds: 250, connections: CONNECTIONS })],
    { maxBuffer: 64_000_000 },
  )
  // printed by bench/_load.ts
  return JSON.parse(stdout) as Load[]
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

/** Full access to an organization and a project, for queries outside of a request. */
export const wholeProject = (orgId: string, projectId: string) => ({
  org: {
    orgId,
    isAdmin: true,
    plan: { planId: 'team', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null },
    entitlements: {
      valid: true,
      channels: 0,
      projects: 0,
      users: 0,
      scheduledCap: 0,
      aiCreditsPerMonth: 0,
      xAccounts: 0,
      bioPages: 0,
      closed: [],
    },
  } as const,
  project: {
    projectId,
    zone: 'UTC',
    roleId: null,
    roleName: null,
    permissions: {},
    publishing: 'full',
    channelIds: null,
  } as const,
})
