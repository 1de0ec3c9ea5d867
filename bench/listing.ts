import { execFile } from 'node:child_process'
import { randomUUIDv7 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { createApp } from '#server/app.ts'
import { readSecretKeys } from '#server/channels/secrets.ts'
import { systemClock } from '#server/clock.ts'
import { startDatabase } from '#server/db/database.ts'
import { clientConfig, openDatabases, openOwnerPool } from '#server/db/pools.ts'
import { readEnv } from '#server/env.ts'
import { postRoutes } from '#server/posts/routes.ts'
import { diskStore } from '#server/media/diskStore.ts'
import { composePlatforms } from '#server/platforms/registry.ts'
import { createSafeFetch } from '#server/platforms/safeFetch.ts'
import { contentOn } from '#server/testing/content.ts'
import { buildersOn } from '#server/testing/people.ts'

/*
 * Listing the 300 posts of a month over HTTP at 32 connections: the product (session, access, row-level security,
 * contract) against a bare node:http server that passes PostgreSQL's own JSON through with as many connections, in turns in
 * one run. The target is a ratio of 0.75.
 */
const TARGET = 0.75
const CONNECTIONS = 32
const SECONDS = 1
/** Short ones and many: a neighbour that takes the machine for a moment spoils one of them. */
const ROUNDS = process.argv.includes('--short') ? 4 : 20
const FROM = '2026-11-01T00:00:00.000Z'
const TO = '2026-12-01T00:00:00.000Z'

const dataDir = mkdtempSync(join(tmpdir(), 'rookery-bench-'))
const database = await startDatabase({ dataDir })
const databases = openDatabases(database.settings)
const owner = openOwnerPool(database.settings, 'bench')

const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0' })
const media = diskStore(join(dataDir, 'media'))
const parts = { env, clock: systemClock, databases, secrets: readSecretKeys({ dataDir }), media, fetch: createSafeFetch({ allow: [] }), platforms: composePlatforms({ plcDirectory: env.plcDirectory }) }
const app = await createApp(parts, { routes: postRoutes(parts), onSeen: () => {} })
const barePool = new Pool({ ...clientConfig(database.settings.owner, 'bare'), max: databases.web.options.max })
barePool.on('error', () => {})
const bare = bareServer(barePool)

try {
  const { orgId, projectId, cookie } = await fill()
  const product = { origin: await app.listen({ port: 0, host: '127.0.0.1' }), path: `/api/${orgId}/project/${projectId}/post?from=${FROM}&to=${TO}&view=month`, cookie }
  const plain = { origin: await listen(bare), path: `/${orgId}/${projectId}`, cookie: '' }
  await check(product, plain)
  await load(product, 1)
  await load(plain, 1)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // each goes first as often as the other
    const [first, second] = round % 2 === 0 ? [product, plain] : [plain, product]
    const [a, b] = [await load(first, SECONDS), await load(second, SECONDS)]
    const [ours, theirs] = round % 2 === 0 ? [a, b] : [b, a]
    ratios.push(ours.rate / theirs.rate)
    console.log(`round ${round + 1}: product ${say(ours)}; bare ${say(theirs)}; ratio ${(ours.rate / theirs.rate).toFixed(2)}`)
  }
  const ratio = median(ratios)
  console.log(`listing 300 posts, ${CONNECTIONS} connections: ratio ${ratio.toFixed(2)} (median of ${ROUNDS}), target ${TARGET}`)
  if (ratio < TARGET) process.exitCode = 1
} finally {
  await app.close()
  bare.close()
  await Promise.all([databases.close(), owner.end(), barePool.end()])
  await database.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (i: number) => sorted[i] ?? 0
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.ceil((sorted.length - 1) / 2))) / 2
}

type Target = { origin: string; path: string; cookie: string }
type Load = { rate: number; p50: number; p99: number; bytes: number }

async function load({ origin, path, cookie }: Target, seconds: number): Promise<Load> {
  const program = fileURLToPath(new URL('_load.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, origin, path, cookie, String(seconds), String(CONNECTIONS)])
  // printed by bench/_load.ts
  return JSON.parse(stdout) as Load
}

function say({ rate, p50, p99 }: Load): string {
  return `${rate.toFixed(0)}/s (p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms)`
}

/** Both answer the same posts, or the comparison is none. */
async function check(a: Target, b: Target): Promise<void> {
  const read = async ({ origin, path, cookie }: Target) => (await (await fetch(origin + path, { headers: { cookie } })).json()) as { posts: { postId: string }[] }
  const [ours, theirs] = [await read(a), await read(b)]
  if (ours.posts?.length !== 300 || JSON.stringify(ours.posts) !== JSON.stringify(theirs.posts)) throw new Error('the two servers do not answer the same 300 posts')
}

/** 20 other tenants and other months around the 300 posts that are asked for. */
async function fill(): Promise<{ orgId: string; projectId: string; cookie: string }> {
  const builders = buildersOn(parts)
  const content = contentOn(parts)
  const home = await builders.signedInOwner()
  for (const each of [home, ...(await Promise.all(Array.from({ length: 20 }, () => builders.signedInOwner())))]) {
    const channels = [await content.channel(each), await content.channel(each), await content.channel(each)]
    for (const [month, count] of [['2026-11-01', 300], ['2026-08-01', 900], ['2027-01-01', 900]] as const) await posts(owner, each.orgId, each.projectId, each.person.personId, channels, month, count)
  }
  await owner.query('vacuum analyze')
  return { orgId: home.orgId, projectId: home.projectId, cookie: [...home.person.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

async function posts(pool: Pool, orgId: string, projectId: string, personId: string, channels: string[], month: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => randomUUIDv7())
  await pool.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, created_at, updated_at)
     select $1, g.id, $2, ($3::uuid[])[1 + g.n % 3], $4, case when g.n % 5 = 0 then 'PUBLISHED' else 'SCHEDULED' end, 'post', '[{"text":"x","media":[]}]',
       left(repeat('The rooks come back to the old elms in autumn. ', 5), 160), '{"type":"NOW"}', 'Europe/London', t.at, t.at, t.at, t.at
     from unnest($5::uuid[]) with ordinality as g(id, n), lateral (select $6::timestamptz + g.n * interval '2 hours' as at) t`,
    [orgId, projectId, channels, personId, ids, month],
  )
}

/** What the product is measured against: no session, no access, no tenant policies, no framework; the same JSON, as cheaply as we know. */
function bareServer(pool: Pool): Server {
  const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const text = `
    with channels as materialized (
      select id, json_build_object('channelId', id, 'channelName', name, 'handle', handle, 'platformName', platform, 'profileUrl', picture_url, 'simulated', simulated) as json
      from channel where org_id = $1 and project_id = $2
    ), authors as materialized (
      select id, json_build_object('userId', id, 'name', first_name || ' ' || last_name) as json from person where id in (select person_id from member where org_id = $1)
    )
    select json_build_object('posts', coalesce(json_agg(r), '[]'))::text as json from (
      select p.id as "postId", p.batch_id as "batchId", p.state as status, p.post_type as "postType", ${iso('p.shown_at')} as at, ${iso('p.due_at')} as "dueAt",
        p.zone as timezone, p.excerpt, p.images, c.json as channel, a.json as author, p.permalink, p.failure, p.version
      from post p join channels c on c.id = p.channel_id join authors a on a.id = p.author_id
      where p.org_id = $1 and p.project_id = $2 and p.shown_at >= $3 and p.shown_at < $4 order by p.shown_at, p.id
    ) r`
  return createServer((request, response) => {
    const [, orgId, projectId] = (request.url ?? '').split('/')
    pool.query({ name: 'listing', text, values: [orgId, projectId, FROM, TO] }).then(
      ({ rows }) => response.writeHead(200, { 'content-type': 'application/json' }).end(rows[0].json),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    // listening on a port, the address is an object
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}
