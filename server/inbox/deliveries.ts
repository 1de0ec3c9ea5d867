import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { ConversationKind } from '#contract/inbox/terms.ts'
import { appsOfClient } from '../apps/ofClient.ts'
import { verifyTokenOf } from '../apps/verifyToken.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import type { Bytes } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import type { InboxPush } from '../platforms/inbox.ts'
import type { Platform } from '../platforms/platform.ts'
import { READ } from './read.ts'

/*
 * What platforms send by themselves: stored first and answered at once, applied by a job. A platform says which accounts
 * something happened to; what happened is then read, so that what it sends may be late, doubled or lost.
 */

type Needs = Pick<Dependencies, 'databases' | 'clock' | 'env' | 'secrets' | 'platforms'>
export type Address = { platform: PlatformKey; clientId: string }

/** What a platform sends. NOT_FOUND for one that sends nothing. */
export const pushOf = ({ platforms }: Pick<Needs, 'platforms'>, platform: PlatformKey): InboxPush => {
  const push = platforms(platform)?.push
  if (!push) throw fail('NOT_FOUND')
  return push
}

/** Answers a platform that checks whether the address is ours. NOT_FOUND for anyone else. */
export async function answerChallenge(
  needs: Needs,
  { platform, clientId }: Address,
  query: Readonly<Partial<Record<string, string>>>,
): Promise<Bytes> {
  const push = pushOf(needs, platform)
  for (const { clientSecret } of await appsAt(needs, { platform, clientId })) {
    const answer = push.challenge(query, { clientSecret, verifyToken: verifyTokenOf(clientSecret) })
    if (answer) return { bytes: Buffer.from(answer.text), contentType: answer.contentType }
  }
  throw fail('NOT_FOUND')
}

/** The apps that a platform may mean by an address, with their secrets. */
export const appsAt = (needs: Needs, { platform, clientId }: Address) =>
  asSystem(needs.databases.system, (tx) =>
    appsOfClient(tx, { env: needs.env, keys: needs.secrets }, platform, clientId),
  )

/** Stores what a platform sent, once for each owner of the app whose secret signed it. Throws SIGNATURE_REFUSED. */
export async function takeDelivery(
  needs: Needs,
  { platform, clientId }: Address,
  headers: Readonly<Partial<Record<string, string>>>,
  body: string,
): Promise<void> {
  const push = pushOf(needs, platform)
  const apps = await appsAt(needs, { platform, clientId })
  const signed = apps.filter(({ clientSecret }) => push.isSigned(headers, body, clientSecret))
  if (signed.length === 0) throw fail('SIGNATURE_REFUSED')
  const digest = createHash('sha256').update(body).digest()
  const now = needs.clock.now()
  const owners = signed.map(({ orgId }) => orgId)
  await asSystem(needs.databases.system, (tx) =>
    storeDelivery(tx, { platform, clientId }, owners, { digest, body, now }),
  )
  await processSoon(needs)
}

/** Stores what came, once for each of these organizations, or for everyone who uses the installation's app (null). */
export async function storeDelivery(
  tx: Tx,
  { platform, clientId }: Address,
  owners: readonly (string | null)[],
  { digest, body, now }: { digest: Buffer; body: string; now: Date },
): Promise<void> {
  for (const orgId of owners)
    await sql`
      insert into inbox_delivery (platform, app_key, org_id, digest, body, received_at) values (${platform}, ${clientId}, ${orgId}, ${digest}, ${body}, ${now})
      on conflict (platform, app_key, org_id, digest) do nothing`.execute(tx)
}

/**
 * Has what was stored applied at once instead of within a minute. In a transaction of its own whose commit doesn't wait for the
 * disk: all deliveries meet in the one row of this job, and would otherwise be stored one disk write after the other.
 */
export async function processSoon({ databases }: Pick<Needs, 'databases'>): Promise<void> {
  await asSystem(databases.system, (tx) => enqueue(tx, PROCESS, {}, { key: 'all' }), { durable: false })
}

/** What is kept of a notification by Web Push until it's applied. */
const PushNotification = z.object({ accountRemoteId: z.string(), kinds: z.array(ConversationKind) })
export type PushNotification = z.infer<typeof PushNotification>

/** Enqueued after a delivery was stored. */
const PROCESS = { name: 'inbox.deliveries' }
const MOST = 100

/** Applies what was sent, and looks every minute for what a killed worker left. */
export const deliveriesJob = (deps: {
  platforms: (key: PlatformKey) => Platform | undefined
}): Job<Record<string, never>> =>
  defineJob({
    ...PROCESS,
    payload: z.object({}),
    every: '* * * * *',
    run: async (context) => {
      while (!context.signal.aborted && (await processSome(deps, context)) === MOST);
    },
  })

type Delivery = { id: string; platform: string; app_key: string; org_id: string | null; body: string }

async function processSome(
  { platforms }: { platforms: (key: PlatformKey) => Platform | undefined },
  { databases, clock, log }: JobContext,
): Promise<number> {
  return await asSystem(databases.system, async (tx) => {
    const { rows } = await sql<Delivery>`
      select id, platform, app_key, org_id, body from inbox_delivery where done_at is null order by id limit ${MOST} for no key update skip locked`.execute(
      tx,
    )
    for (const delivery of rows) {
      const platform = platforms(PlatformKey.parse(delivery.platform))
      for (const { accountRemoteId, kinds } of told(platform, delivery, log))
        await readSoon(tx, platform?.inbox?.reads ?? [], delivery, accountRemoteId, kinds, clock.now())
    }
    // people who look at the conversation don't wait for the next minute
    if (rows.length > 0) await enqueue(tx, READ, {}, { key: 'all' })
    await sql`update inbox_delivery set done_at = ${clock.now()} where id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(
      tx,
    )
    return rows.length
  })
}

/** What makes no sense is read by nobody twice: the readings of every few hours find what it was about. */
function told(
  platform: Platform | undefined,
  { id, body }: Delivery,
  log: JobContext['log'],
): ReturnType<InboxPush['parse']> {
  try {
    if (platform?.webPush) return [PushNotification.parse(JSON.parse(body))]
    return platform?.push?.parse(body) ?? []
  } catch (error) {
    log.warn({ err: error, delivery: id }, 'a notification of a platform could not be read')
    return []
  }
}

/**
 * Makes the readings of these kinds due, of every channel that is this account and was connected with this app: an
 * organization's own app says nothing about channels of others.
 */
async function readSoon(
  tx: Tx,
  groups: readonly (readonly ConversationKind[])[],
  { platform, app_key: clientId, org_id: orgId }: Delivery,
  accountRemoteId: string,
  kinds: readonly ConversationKind[],
  now: Date,
): Promise<void> {
  const due = groups.filter((group) => group.some((kind) => kinds.includes(kind)))
  const all = due.flat()
  const leading = due.flatMap(([kind]) => kind ?? [])
  await sql`
    update inbox_cursor i set pushed_at = ${now}, next_at = case when i.kind = any(${leading}::text[]) then least(i.next_at, ${now}::timestamptz) else i.next_at end
    from channel c join lane l on l.org_id = c.org_id and l.channel_id = c.id
    where i.org_id = c.org_id and i.channel_id = c.id and i.kind = any(${all}::text[])
      and c.platform = ${platform} and c.remote_id = ${accountRemoteId} and c.deleted_at is null and l.credentials = ${clientId}
      and case when ${orgId}::uuid is null then not exists (select from app_credentials a where a.org_id = c.org_id and a.client_id = ${clientId}) else c.org_id = ${orgId} end`.execute(
    tx,
  )
}
