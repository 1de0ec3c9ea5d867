import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { keepPicture } from '../channels/pictures.ts'
import type { Tx } from '../db/kysely.ts'
import { openLane } from '../delivery/lane.ts'
import { readSecretKeys, storeSecret } from '../delivery/secrets.ts'
import type { Env } from '../env.ts'
import { squarePicture } from '../media/image.ts'
import { Accounts, pictureOf } from '../simulators/bluesky/accounts.ts'
import { portrait } from '../simulators/portraits.ts'
import type { SeededAccount } from './channels.ts'
import { brand, shops } from './content.ts'
import { LOST_DAYS } from './figures.ts'
import type { SeededChannel } from './seededProject.ts'

/** The brand's name on every platform that has handles. */
const HANDLE = 'northlight'
// tokens as the simulator creates them; it accepts any app password once they have expired
const accounts = new Accounts(() => 7200)

/** Stores an account of the simulated Bluesky as a channel. */
export async function connect(
  tx: Tx,
  env: Env,
  channel: { orgId: string; projectId: string; owner: string; name: string; handle: string },
  connectedAt: Date,
  now: Date,
): Promise<SeededChannel> {
  const { orgId, projectId, owner, name, handle } = channel
  const channelId = randomUUIDv7()
  const account = accounts.named(handle)
  const remoteId = account.did
  const service = `http://127.0.0.1:${env.SIMULATOR_PORT}`
  await tx
    .insertInto('channel')
    .values({
      org_id: orgId,
      id: channelId,
      project_id: projectId,
      platform: 'bluesky',
      remote_id: remoteId,
      name,
      handle: `@${handle}`,
      service,
      simulated: true,
      connected_at: connectedAt,
      connected_by: owner,
    })
    .execute()
  await openLane(tx, { orgId, channelId, platform: 'bluesky' })
  const secret = { ...accounts.session(account), did: remoteId, pds: service, appPassword: 'simulated' }
  await storeSecret(
    tx,
    readSecretKeys({ dataDir: env.DATA_DIR, encryptionKey: env.ENCRYPTION_KEY }),
    { orgId, channelId },
    secret,
    new Date(now.getTime() + 7_200_000),
  )
  await addPicture(tx, { orgId, channelId }, pictureOf(account), now)
  return { channelId, platform: 'bluesky', remoteId, name, handle, details: {} }
}

/** Stores an account on another simulated platform as a channel. */
export async function keep(
  tx: Tx,
  env: Env,
  place: { orgId: string; projectId: string; owner: string },
  { platform, signedIn, clientId, variant, details, place: nth }: SeededAccount,
  { connectedAt, now }: { connectedAt: Date; now: Date },
): Promise<SeededChannel> {
  const { orgId, projectId, owner } = place
  const { account, secret, expiresAt, endsAt = null, kind = null } = signedIn
  // the simulators call it by this name, too (past.ts)
  const { name, handle } = shops[nth - 1] ?? { name: brand, handle: HANDLE }
  const ownHandle = account.handle.replace(/^(@?)[^@]+/, `$1${handle}`)
  // its password was changed, and nobody signed in again
  const isLost = platform === 'facebook' && nth === shops.length
  const channelId = randomUUIDv7()
  await tx
    .insertInto('channel')
    .values({
      org_id: orgId,
      id: channelId,
      project_id: projectId,
      platform,
      remote_id: account.remoteId,
      name,
      handle: ownHandle,
      ...(isLost && { status: 'DISCONNECTED' }),
      service: account.service,
      simulated: true,
      kind,
      variant,
      sign_in_ends_at: endsAt,
      connected_at: connectedAt,
      connected_by: owner,
    })
    .execute()
  await openLane(tx, { orgId, channelId, platform, ...(clientId !== undefined && { credentials: clientId }) })
  await storeSecret(
    tx,
    readSecretKeys({ dataDir: env.DATA_DIR, encryptionKey: env.ENCRYPTION_KEY }),
    { orgId, channelId },
    secret,
    expiresAt,
  )
  const source = account.pictureUrl ?? `https://${platform}.simulated/pictures/${account.remoteId}.png`
  await addPicture(tx, { orgId, channelId }, source, connectedAt)
  return {
    channelId,
    platform,
    remoteId: account.remoteId,
    name,
    handle: ownHandle,
    details,
    ...(isLost && { lostAt: new Date(now.getTime() - LOST_DAYS * 86_400_000) }),
    ...(typeof secret.parent === 'string' && { parent: secret.parent }),
  }
}

/** Stores the picture that the simulators serve at this URL, because they may not be running when it's shown. */
async function addPicture(
  tx: Tx,
  channel: { orgId: string; channelId: string },
  source: string,
  now: Date,
): Promise<void> {
  const drawn = await squarePicture(await portrait(source), 128)
  if (drawn.kind !== 'picture') throw new Error(drawn.reason)
  await tx
    .updateTable('channel')
    .set({ picture_url: source })
    .where('org_id', '=', channel.orgId)
    .where('id', '=', channel.channelId)
    .execute()
  await keepPicture(tx, channel, { source, bytes: drawn.bytes }, now)
}

/** Each channel's lane wakes for its first waiting post. */
export async function wakeLanes(
  tx: Tx,
  { orgId, channelIds }: { orgId: string; channelIds: readonly string[] },
): Promise<void> {
  await sql`
    update lane l set wake_at = (
      select min(step_at) from delivery d where d.org_id = l.org_id and d.channel_id = l.channel_id)
    where l.org_id = ${orgId} and l.channel_id = any(${[...channelIds]}::uuid[])`.execute(tx)
}
