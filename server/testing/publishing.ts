import { randomBytes, randomUUIDv7 } from 'node:crypto'
import type pg from 'pg'
import type { AdditionalDetails } from '#contract/content.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { sealSecret, type SecretKeys } from '../delivery/secrets.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { asTenant } from '../db/tenant.ts'
import type { Account, Secret } from '../platforms/platform.ts'
import { scheduleOnLane } from '../publishing/lane.ts'
import { didOf } from '../simulators/bluesky/accounts.ts'

/** Rows for tests and benches of publishing, inserted directly in large numbers. */

export const testKeys: SecretKeys = [{ id: 'test', key: Buffer.alloc(32, 7) }]
export const quietLog = { info: () => {}, warn: () => {}, error: () => {} }

export type PublishingFixture = { orgId: string; projectId: string; personId: string }
export type TestChannel = { channelId: string; handle: string; did: string }

/** An organization on a paid plan, a project and its owner. */
export async function makePublishingFixture(owner: pg.Pool, now: Date): Promise<PublishingFixture> {
  const house = { orgId: randomUUIDv7(), projectId: randomUUIDv7(), personId: randomUUIDv7() }
  const { orgId, projectId, personId } = house
  await owner.query(
    "insert into person (id, email, password_hash, first_name, last_name, created_at, confirmed_at) values ($1, $2, $3, 'Olive', 'Owner', $4, $4)",
    [personId, `${randomBytes(6).toString('hex')}@example.test`, 'none', now],
  )
  await owner.query(
    "insert into organization (org_id, name, org_type, org_size, created_at, created_by) values ($1, 'House', 'organization', '1', $2, $3)",
    [orgId, now, personId],
  )
  await owner.query("insert into plan (org_id, plan_id, status, changed_at) values ($1, 'team', 'ACTIVE', $2)", [
    orgId,
    now,
  ])
  await owner.query('insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, $3)', [
    orgId,
    personId,
    now,
  ])
  await owner.query(
    "insert into project (org_id, id, name, zone, created_at, created_by) values ($1, $2, 'Project', 'Europe/Berlin', $3, $4)",
    [orgId, projectId, now, personId],
  )
  return house
}

/** The secret of a simulated account, as the Bluesky adapter stores it, with the simulator's tokens. */
export function simulatedSecret(origin: string, did: string): Secret {
  const token = (scope: string): string => {
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${part({ typ: 'JWT', alg: 'none' })}.${part({ scope, sub: did, exp: 4_102_444_800 })}.simulated`
  }
  return { did, pds: origin, accessJwt: token('com.atproto.access'), refreshJwt: token('com.atproto.refresh') }
}

type ChannelOptions = {
  now: Date
  platform?: PlatformKey
  secret: (channel: TestChannel, index: number) => Secret
  prefix?: string
  /** Signed-in accounts, one per channel; invented ones on Bluesky by default. */
  accounts?: readonly Pick<Account, 'remoteId' | 'handle' | 'service'>[]
  /** The keys of the app that will publish; those for tests by default. */
  keys?: SecretKeys
}

/** Connected channels with lanes and encrypted secrets. */
export async function makeChannels(
  owner: pg.Pool,
  house: PublishingFixture,
  count: number,
  options: ChannelOptions,
): Promise<TestChannel[]> {
  const platform = options.platform ?? 'bluesky'
  const keys = options.keys ?? testKeys
  const channels = Array.from({ length: count }, (_, i) => {
    const account = options.accounts?.[i]
    if (account)
      return {
        channelId: randomUUIDv7(),
        handle: account.handle.replace(/^@/, ''),
        did: account.remoteId,
        service: account.service,
      }
    const handle = `${options.prefix ?? 'account'}-${i}-${randomBytes(3).toString('hex')}.sim.test`
    return { channelId: randomUUIDv7(), handle, did: didOf(handle), service: null }
  })
  const ids = channels.map((channel) => channel.channelId)
  const sealed = channels.map((channel, i) =>
    sealSecret(keys, { orgId: house.orgId, channelId: channel.channelId }, options.secret(channel, i)),
  )
  await owner.query(
    `insert into channel (org_id, id, project_id, platform, remote_id, name, handle, service, simulated, connected_at, connected_by)
     select $1, id, $2, $3, did, handle, '@' || handle, service, true, $4, $5 from unnest($6::uuid[], $7::text[], $8::text[], $9::text[]) as c(id, did, handle, service)`,
    [
      house.orgId,
      house.projectId,
      platform,
      options.now,
      house.personId,
      ids,
      channels.map((channel) => channel.did),
      channels.map((channel) => channel.handle),
      channels.map((channel) => channel.service),
    ],
  )
  await owner.query(
    'insert into lane (org_id, channel_id, platform) select $1, id, $2 from unnest($3::uuid[]) as c(id)',
    [house.orgId, platform, ids],
  )
  await owner.query(
    'insert into channel_secret (org_id, channel_id, key_id, sealed) select $1, id, $2, sealed from unnest($3::uuid[], $4::bytea[]) as c(id, sealed)',
    [house.orgId, keys[0].id, ids, sealed.map((one) => one.sealed)],
  )
  return channels
}

export type NewPost = {
  channelId: string
  dueAt: Date
  text: string
  needsPrepare?: boolean
  /** The position of a QUEUED post; its slot determines its time. */ place?: number
  /** The further items of a thread. */ thread?: readonly string[]
  firstComment?: string
  details?: AdditionalDetails
}

const PAGE = 5000

/** SCHEDULED posts, or QUEUED ones, put on their lanes by the verbs' own function. */
export async function makePosts(
  parts: { owner: pg.Pool; databases: Pick<Databases, 'background'>; clock: Clock },
  house: PublishingFixture,
  posts: readonly NewPost[],
): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < posts.length; from += PAGE)
    ids.push(...(await makePage(parts, house, posts.slice(from, from + PAGE))))
  return ids
}

async function makePage(
  { owner, databases, clock }: Parameters<typeof makePosts>[0],
  house: PublishingFixture,
  posts: readonly NewPost[],
): Promise<string[]> {
  const ids = posts.map(() => randomUUIDv7())
  await owner.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, due_at, shown_at, created_at, updated_at, queue_order, first_comment, details)
     select $1, p.id, $2, p.channel_id, $3, case when p.place is null then 'SCHEDULED' else 'QUEUED' end, 'post', p.contents::jsonb, left(p.contents, 40), '{"type":"ONCE"}', 'Europe/Berlin', p.due_at, p.due_at, $4, $4, p.place, p.first_comment, p.details::jsonb
     from unnest($5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[], $9::bigint[], $10::text[], $11::text[]) as p(id, channel_id, contents, due_at, place, first_comment, details)`,
    [
      house.orgId,
      house.projectId,
      house.personId,
      clock.now(),
      ids,
      posts.map((post) => post.channelId),
      posts.map((post) => JSON.stringify([post.text, ...(post.thread ?? [])].map((text) => ({ text, media: [] })))),
      posts.map((post) => post.dueAt),
      posts.map((post) => post.place ?? null),
      posts.map((post) => post.firstComment ?? ''),
      posts.map((post) => JSON.stringify(post.details ?? {})),
    ],
  )
  const lanes = posts.map(({ channelId, dueAt, needsPrepare = false, place }, i) => ({
    postId: ids[i] ?? '',
    channelId,
    dueAt: place === undefined ? dueAt : null,
    needsPrepare,
  }))
  await asTenant(databases.background, house.orgId, (tx) => scheduleOnLane(tx, lanes))
  return ids
}

/** How many posts are in each status. */
export async function countStates(owner: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ state: string; n: number }>(
    'select state, count(*) as n from post group by state',
  )
  return Object.fromEntries(rows.map((row) => [row.state, row.n]))
}
