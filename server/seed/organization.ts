import { randomUUIDv7 } from 'node:crypto'
import { buyForDemo } from '../billing/demo.ts'
import type { Tx } from '../db/kysely.ts'
import type { Env } from '../env.ts'
import { setCostLimit } from '../inbox/costs.ts'
import { hashPassword } from '../identity/passwords.ts'
import { createOrganization } from '../organizations/create.ts'
import { createProject } from '../projects/create.ts'
import type { Past } from '../simulators/past.ts'
import { seedApprovals } from './approvals.ts'
import { seedAudit } from './audit.ts'
import { signInEverywhere } from './channels.ts'
import { connect, keep, wakeLanes } from './connections.ts'
import { brand, colleagues, demoPerson, projects } from './content.ts'
import { seedCompetitors } from './competitors.ts'
import { seedFigures } from './figures.ts'
import { seedGoals } from './goals.ts'
import { addImages } from './images.ts'
import { seedInbox } from './inbox/seedInbox.ts'
import { seedLinkInBio } from './linkInBio.ts'
import { seedReports } from './reports.ts'
import { seedNativePosts } from './nativePosts.ts'
import { pastPosts } from './pastPosts.ts'
import { seedPosts } from './posts.ts'
import { seedQueues } from './queues.ts'
import type { SeededChannel } from './seededProject.ts'
import { seedTaxonomy } from './taxonomy.ts'

/** How long ago the demo organization was created, in days: before its oldest post, and every entry of its audit log. */
const AGE_DAYS = 740

/** What reading from X may cost a month. */
const X_DOLLARS = 25

type Made = {
  posts: number
  conversations: number
  /** What the simulators have to know of it. */
  past: Past
}
type Org = { orgId: string; owner: string; team: readonly { personId: string; role: Role }[]; began: Date }
type Role = (typeof colleagues)[number]['role']

/** The demo organization with all that it did until now; null if it's there already. */
export async function seedOrganization(tx: Tx, env: Env, now: Date): Promise<Made | null> {
  const known = await tx.selectFrom('person').select('id').where('email', '=', demoPerson.email).executeTakeFirst()
  if (known) return null
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
  // its posts and figures on X were read, so it may cost something
  await setCostLimit({ tx, org: { orgId }, now }, 'x', X_DOLLARS)
  const all: Made = { posts: 0, conversations: 0, past: [] }
  for (const project of projects) {
    const { posts, conversations, past } = await seedProject(tx, env, { orgId, owner, team, began }, project, now)
    all.posts += posts
    all.conversations += conversations
    all.past.push(...past)
  }
  await seedAudit(tx, { orgId, owner, began }, now)
  return all
}

async function seedProject(
  tx: Tx,
  env: Env,
  { orgId, owner, team, began }: Org,
  { name, zone, channels, everywhere }: (typeof projects)[number],
  now: Date,
): Promise<Made> {
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
  const place = { orgId, projectId, owner }
  const connected: SeededChannel[] = []
  for (const channel of channels) connected.push(await connect(tx, env, { ...place, ...channel }, began, now))
  for (const account of everywhere ? await signInEverywhere(env.publicUrl) : [])
    connected.push(await keep(tx, env, place, account, { connectedAt: began, now }))
  const people = [owner, ...team.map(({ personId }) => personId)]
  const seeded = { orgId, projectId, zone, channels: connected, people, images: await addImages(tx, env, place, now) }
  const posts = await seedPosts(tx, seeded, now)
  await seedTaxonomy(tx, { orgId, projectId, people }, now)
  // the shops' accounts get no messages
  const isShops = ({ name: of, platform }: SeededChannel) => platform !== 'bluesky' && of !== brand
  const inbox = await seedInbox(tx, { ...seeded, channels: connected.filter((one) => !isShops(one)), everywhere }, now)
  const sender = team.find(({ role }) => role === 'user')?.personId ?? owner
  await seedApprovals(tx, { orgId, projectId, zone, sender }, now)
  await seedNativePosts(tx, seeded, now)
  await seedFigures(tx, { orgId, projectId }, now)
  const competitors = await seedCompetitors(tx, seeded, now)
  await seedGoals(tx, seeded, now)
  if (everywhere) await seedReports(tx, seeded, now)
  if (everywhere) await seedLinkInBio(tx, seeded, now)
  const past = [...inbox.past, ...(await pastPosts(tx, { orgId, projectId })), ...competitors]
  const channelIds = connected.map(({ channelId }) => channelId)
  await seedQueues(tx, { orgId, zone, channelIds }, now)
  await wakeLanes(tx, { orgId, channelIds })
  return { posts, conversations: inbox.count, past }
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
