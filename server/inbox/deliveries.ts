import { createHash } from 'node:crypto'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { appsOfClient, isKnownClient, type OwnedApp } from '../apps/ofClient.ts'
import { verifyTokenOf } from '../apps/verifyToken.ts'
import { asSystem } from '../db/system.ts'
import type { Dependencies } from '../dependencies.ts'
import { fail } from '../errors.ts'
import { limits } from '../http/limits.ts'
import type { Rates } from '../http/rates.ts'
import type { Bytes } from '../http/route.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { InboxPush } from '../platforms/inbox.ts'
import { storePush, type Address } from './pushChannels.ts'
import { toldIn, type Told } from './told.ts'

/*
 * What platforms send by themselves: stored first and answered at once, applied by a job (applyDeliveries.ts). A platform says
 * which accounts something happened to, and only that is kept; what happened is then read, so that what it sends may be late,
 * doubled or lost.
 */

type Needs = Pick<Dependencies, 'databases' | 'clock' | 'env' | 'secrets' | 'platforms'>

/** What a platform sends. NOT_FOUND for one that sends nothing. */
export const pushOf = ({ platforms }: Pick<Needs, 'platforms'>, platform: PlatformKey): InboxPush => {
  const push = platforms(platform)?.push
  if (!push) throw fail('NOT_FOUND')
  return push
}

/** Throws SIGNATURE_REFUSED for an app that nobody uses here, whose signature nothing could have: before a body is read. */
export async function mustKnowApp(needs: Needs, { platform, clientId }: Address): Promise<void> {
  pushOf(needs, platform)
  const isKnown = await asSystem(needs.databases.system, (tx) => isKnownClient(tx, needs.env, platform, clientId))
  if (!isKnown) throw fail('SIGNATURE_REFUSED')
}

/**
 * Answers a platform that checks whether the address is ours, first with the app of the `owner` in that address. NOT_FOUND
 * for anyone else.
 */
export async function answerChallenge(
  needs: Needs,
  { platform, clientId, owner }: Address & { owner?: string },
  query: Readonly<Partial<Record<string, string>>>,
): Promise<Bytes> {
  const push = pushOf(needs, platform)
  const apps = await appsAt(needs, { platform, clientId })
  const isOwn = ({ orgId }: OwnedApp) => Number(orgId === owner)
  for (const { clientSecret } of apps.toSorted((a, b) => isOwn(b) - isOwn(a))) {
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

/**
 * Stores what a platform told, once for each owner of the app whose secret signed it. Throws SIGNATURE_REFUSED, and
 * TOO_MANY_REQUESTS for an app that sends too much.
 */
export async function takeDelivery(
  needs: Needs & Pick<Dependencies, 'log'> & { rates: Rates },
  { platform, clientId }: Address,
  headers: Readonly<Partial<Record<string, string>>>,
  body: string,
): Promise<void> {
  const push = pushOf(needs, platform)
  const apps = await appsAt(needs, { platform, clientId })
  const signed = apps.filter(({ clientSecret }) => push.isSigned(headers, body, clientSecret))
  if (signed.length === 0) throw fail('SIGNATURE_REFUSED')
  const owners = countedOwners(needs.rates, { platform, clientId }, signed)
  const told = readTold(needs, push, { platform, clientId }, body)
  if (told.length === 0) return
  const digest = createHash('sha256').update(body).digest()
  const stored = await asSystem(needs.databases.system, (tx) =>
    storePush(tx, { platform, clientId }, owners, { digest, told, receivedAt: needs.clock.now() }),
  )
  if (stored > 0) await processSoon(needs)
}

/** The owners who haven't sent too much; each is counted. Throws TOO_MANY_REQUESTS if nobody is left. */
function countedOwners(rates: Rates, { platform, clientId }: Address, apps: readonly OwnedApp[]): (string | null)[] {
  const { installation, organization } = limits.notifications
  const waits = apps.map(({ orgId }) => {
    const key = `${platform} ${clientId} ${orgId ?? ''}`
    const rate = orgId === null ? installation : organization
    const wait = rates.wait(key, rate, 1)
    if (wait === 0) rates.count(key, rate, 1)
    return wait
  })
  const owners = apps.filter((_, place) => waits[place] === 0).map(({ orgId }) => orgId)
  if (owners.length > 0) return owners
  const seconds = Math.ceil(Math.min(...waits))
  throw fail('TOO_MANY_REQUESTS', {
    detail: `This app has sent too many notifications. This one wasn't stored. Send it again in ${seconds} seconds.`,
    meta: { retryAfterSeconds: seconds },
  })
}

/** What makes no sense tells nothing: the readings of every few hours find what it was about. */
function readTold({ log }: Pick<Dependencies, 'log'>, push: InboxPush, address: Address, body: string): Told {
  try {
    return toldIn(push, body)
  } catch (error) {
    log.warn({ err: error, ...address }, 'a notification of a platform could not be read')
    return []
  }
}

/**
 * Has what was stored applied at once instead of within a minute. All notifications meet in the one row of this job, so those
 * of a node that come while it's being written share the next writing, and no commit waits for the disk.
 */
export async function processSoon({ databases }: Pick<Needs, 'databases'>): Promise<void> {
  const here = writing.get(databases) ?? {}
  writing.set(databases, here)
  const write = (): Promise<void> => {
    delete here.next
    here.now = asSystem(databases.system, (tx) => enqueue(tx, PROCESS, {}, { key: 'all' }), { durable: false }).finally(
      () => delete here.now,
    )
    return here.now
  }
  if (here.now) here.next ??= here.now.then(write, write)
  await (here.next ?? write())
}

/** What is being written for a node's database, and what comes after it. */
const writing = new WeakMap<Needs['databases'], { now?: Promise<void>; next?: Promise<void> }>()

/** Enqueued after a notification was stored. */
export const PROCESS = { name: 'inbox.deliveries' }
