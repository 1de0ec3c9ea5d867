import { randomUUIDv7 } from 'node:crypto'
import { join } from 'node:path'
import sharp from 'sharp'
import { sealAudit } from '../audit/seal.ts'
import { buyForDemo } from '../billing/demo.ts'
import { systemClock } from '../clock.ts'
import { keepPicture } from '../channels/pictures.ts'
import { readSecretKeys, storeSecret } from '../delivery/secrets.ts'
import { startDatabase } from '../db/database.ts'
import type { Tx } from '../db/kysely.ts'
import { openDatabases, openOwnerPool, type DatabaseSettings } from '../db/pools.ts'
import { writePrivately } from '../db/privateFiles.ts'
import { asSystem } from '../db/system.ts'
import { readEnv } from '../env.ts'
import { hashPassword } from '../identity/passwords.ts'
import { openFiles } from '../files.ts'
import { squarePicture } from '../media/image.ts'
import { createOrganization } from '../organizations/create.ts'
import { createProject } from '../projects/create.ts'
import { openLane } from '../delivery/lane.ts'
import { signInEverywhere, type SeededAccount } from './channels.ts'
import { altTexts, brand, colleagues, demoPerson, projects, shops } from './content.ts'
import { seedApprovals } from './approvals.ts'
import { seedAudit } from './audit.ts'
import { LOST_DAYS, seedFigures } from './figures.ts'
import { seedInbox } from './inbox/seedInbox.ts'
import { seedPosts, type SeededChannel } from './posts.ts'
import { seedQueues } from './queues.ts'
import { seedTaxonomy } from './taxonomy.ts'
import { Accounts, pictureOf } from '../simulators/bluesky/accounts.ts'
import { PAST_FILE, type Past } from '../simulators/past.ts'
import { seedNativePosts } from './nativePosts.ts'
import { pastPosts } from './pastPosts.ts'
import { portrait } from '../simulators/portraits.ts'

// tokens as the simulator creates them; it accepts any app password once they have expired
const accounts = new Accounts(() => 7200)

/*
 * `npm run seed`: fills the database with a demo organization to look around in. Its channels are simulated: `npm run
 * dev` responds for them. Refuses an installation with a public URL, and a second run.
 */

/** The brand's name on every platform that has handles. */
const HANDLE = 'northlight'
/** How long ago the demo organization was created, in days. */
const AGE_DAYS = 740

const env = readEnv()
if (env.PUBLIC_URL?.startsWith('https:')) {
  console.error(
    "The demo organization has a known password, so it can't be created in an installation with a public URL.",
  )
  process.exit(1)
}
const database = await startDatabase({
  dataDir: env.DATA_DIR,
  ...(env.DATABASE_URL !== undefined && { databaseUrl: env.DATABASE_URL }),
})
const databases = openDatabases(database.settings)
try {
  const outcome = await asSystem(databases.system, seed)
  await sealAudit(databases.system, systemClock.now())
  await knowSizes(database.settings)
  console.log(outcome)
} finally {
  await databases.close()
  await database.stop()
}

/** The database plans its queries by what it knows of the tables: after so many rows at once, nothing until it looks again. */
async function knowSizes(settings: DatabaseSettings): Promise<void> {
  const owner = openOwnerPool(settings)
  try {
    await owner.query('analyze')
  } finally {
    await owner.end()
  }
}

async function seed(tx: Tx): Promise<string> {
  const known = await tx.selectFrom('person').select('id').where('email', '=', demoPerson.email).executeTakeFirst()
  const logIn = `Log in as ${demoPerson.email} with the password ${demoPerson.password}.`
  if (known) return `The demo organization already exists. ${logIn}`
  const now = systemClock.now()
  // older than its oldest post, and than every entry of its audit log
  const began = new Date(now.getTime() - AGE_DAYS * 86_400_000)
  const owner = await addPerson(tx, demoPerson, began)
  const orgId = await createOrganization(
    tx,
    { personId: owner, name: 'Northlight Coffee', orgType: 'organization', orgSize: '11-50' },
    began,
  )
  await buyForDemo(tx, { orgId, personId: owner, holder: 'Test Card' }, now)
  const team = []
  for (const colleague of colleagues)
    team.push({ personId: await addPerson(tx, colleague, began), role: colleague.role })
  await tx
    .insertInto('member')
    .values(team.map(({ personId }) => ({ org_id: orgId, person_id: personId, is_admin: false, added_at: began })))
    .execute()

  const accountsElsewhere = await signInEverywhere(env.publicUrl)
  let [posts, conversations] = [0, 0]
  const past: Past = []
  for (const { name, zone, channels, everywhere } of projects) {
    const { projectId, roles } = await createProject(tx, { orgId, personId: owner, name, zone, step: 'done' }, began)
    await tx
      .insertInto('project_member')
      .values(
        team.map(({ personId, role }) => ({
          org_id: orgId,
          project_id: projectId,
          person_id: personId,
          role_id: roles[role],
          channel_ids: null,
          added_at: began,
        })),
      )
      .execute()
    const connected: SeededChannel[] = []
    for (const channel of channels)
      connected.push(await connect(tx, { orgId, projectId, owner, ...channel }, began, now))
    if (everywhere)
      for (const account of accountsElsewhere)
        connected.push(await keep(tx, { orgId, projectId, owner }, account, { connectedAt: began, now }))
    const images = await addImages(tx, { orgId, projectId, owner }, now)
    const people = [owner, ...team.map(({ personId }) => personId)]
    const seeded = { orgId, projectId, zone, channels: connected, people, images }
    posts += await seedPosts(tx, seeded, now)
    await seedTaxonomy(tx, { orgId, projectId, people }, now)
    // the shops' accounts get no messages
    const isShops = ({ name: of, platform }: SeededChannel) => platform !== 'bluesky' && of !== brand
    const inbox = await seedInbox(
      tx,
      { ...seeded, channels: connected.filter((one) => !isShops(one)), everywhere },
      now,
    )
    conversations += inbox.count
    past.push(...inbox.past)
    await seedApprovals(
      tx,
      { orgId, projectId, zone, sender: team.find(({ role }) => role === 'user')?.personId ?? owner },
      now,
    )
    await seedNativePosts(tx, seeded, now)
    await seedFigures(tx, { orgId, projectId }, now)
    past.push(...(await pastPosts(tx, { orgId, projectId })))
    await seedQueues(tx, { orgId, zone, channelIds: connected.map(({ channelId }) => channelId) }, now)
    // each lane wakes for its first waiting post
    for (const { channelId } of connected) {
      const first = await tx
        .selectFrom('delivery')
        .select('step_at')
        .where('org_id', '=', orgId)
        .where('channel_id', '=', channelId)
        .where('step_at', 'is not', null)
        .orderBy('step_at')
        .executeTakeFirst()
      await tx
        .updateTable('lane')
        .set({ wake_at: first?.step_at ?? null })
        .where('org_id', '=', orgId)
        .where('channel_id', '=', channelId)
        .execute()
    }
  }
  await seedAudit(tx, { orgId, owner, began }, now)
  writePrivately(join(env.DATA_DIR, PAST_FILE), JSON.stringify(past))
  return `Created Northlight Coffee with ${posts} posts over two years and ${conversations} conversations. ${logIn}`
}

async function addPerson(
  tx: Tx,
  person: { email: string; firstName: string; lastName: string; password?: string },
  now: Date,
): Promise<string> {
  const id = randomUUIDv7()
  const password_hash = await hashPassword(person.password ?? demoPerson.password)
  await tx
    .insertInto('person')
    .values({
      id,
      email: person.email,
      password_hash,
      first_name: person.firstName,
      last_name: person.lastName,
      confirmed_at: now,
      created_at: now,
    })
    .execute()
  return id
}

async function connect(
  tx: Tx,
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
async function keep(
  tx: Tx,
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

/** Images in the product's own colors, one per alt text. */
async function addImages(
  tx: Tx,
  place: { orgId: string; projectId: string; owner: string },
  now: Date,
): Promise<string[]> {
  const { media: store } = await openFiles(env, { error: () => {} })
  const ids = []
  for (const [i, altText] of altTexts.entries()) {
    const assetId = randomUUIDv7()
    const bytes = await sharp(Buffer.from(picture(i)))
      .jpeg({ quality: 82 })
      .toBuffer()
    const key = `${place.orgId}/${assetId}`
    await store.put(key, bytes)
    await tx
      .insertInto('asset')
      .values({
        org_id: place.orgId,
        id: assetId,
        project_id: place.projectId,
        state: 'ready',
        file_name: `picture-${i + 1}.jpg`,
        content_type: 'image/jpeg',
        bytes: bytes.length,
        width: 1600,
        height: 1000,
        alt_text: altText,
        store_key: key,
        created_at: now,
        created_by: place.owner,
      })
      .execute()
    ids.push(assetId)
  }
  return ids
}

function picture(i: number): string {
  const [sky, light, dark] =
    [
      ['#f3d9b1', '#c98b54', '#5b3a29'],
      ['#cfe3e6', '#7fa7ad', '#2c4a52'],
      ['#e9e2d6', '#a58d6f', '#463a2c'],
      ['#d7dfc9', '#8aa06d', '#3d4a2e'],
    ][i % 4] ?? []
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${sky}"/><stop offset="1" stop-color="${light}"/></linearGradient></defs><rect width="1600" height="1000" fill="url(#g)"/><circle cx="${420 + i * 210}" cy="360" r="210" fill="${sky}" opacity="0.7"/><path d="M0 760 Q 400 ${620 + i * 30} 800 740 T 1600 700 V1000 H0Z" fill="${dark}" opacity="0.85"/><ellipse cx="1050" cy="690" rx="170" ry="52" fill="#fffaf2"/><path d="M880 690 q20 190 170 190 t170 -190Z" fill="#fffaf2"/><ellipse cx="1050" cy="690" rx="138" ry="38" fill="${dark}"/></svg>`
}
