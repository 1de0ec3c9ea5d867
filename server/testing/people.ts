import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { hashSync } from '@node-rs/argon2'
import type { SystemRole } from '#contract/permissions.ts'
import { asSystem } from '../db/system.ts'
import { hashToken } from '../http/session.ts'
import { createOrganization } from '../organizations/create.ts'
import { createProject } from '../projects/create.ts'
import type { Dependencies } from '../dependencies.ts'

/** A person in a test: who they are, and the cookies of their browser. */
export type TestPerson = {
  personId: string
  email: string
  password: string
  firstName: string
  lastName: string
  cookies: Map<string, string>
}
/** An organization with one project and its signed-in owner. */
export type TestHome = {
  person: TestPerson
  orgId: string
  projectId: string
  roles: Record<SystemRole, string>
  params: { orgId: string; projectId: string }
}

export const TEST_PASSWORD = 'Larch-Otter7'
// cheap on purpose: verifying uses the cost in the hash
const passwordHash = hashSync(TEST_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

export type Builders = ReturnType<typeof buildersOn>

/** Builders that write to the database directly: fast, with the same result as the verbs. */
export function buildersOn(deps: Pick<Dependencies, 'databases' | 'clock'>) {
  const { databases, clock } = deps

  /** Someone with an account and an open session. */
  async function person(
    options: { firstName?: string; lastName?: string; email?: string; confirmed?: boolean; signedIn?: boolean } = {},
  ): Promise<TestPerson> {
    const { firstName = 'Ada', lastName = 'Test', confirmed = true, signedIn = true } = options
    const personId = randomUUIDv7()
    const email = options.email ?? `${personId.slice(-12)}@example.org`
    const token = randomBytes(32).toString('base64url')
    const now = clock.now()
    await asSystem(databases.system, async (tx) => {
      await tx
        .insertInto('person')
        .values({
          id: personId,
          email,
          password_hash: passwordHash,
          first_name: firstName,
          last_name: lastName,
          confirmed_at: confirmed ? now : null,
          created_at: now,
        })
        .execute()
      if (signedIn)
        await tx
          .insertInto('session')
          .values({
            id: randomUUIDv7(),
            token_hash: hashToken(token),
            person_id: personId,
            created_at: now,
            last_seen_at: now,
            expires_at: new Date(now.getTime() + 30 * 86_400_000),
          })
          .execute()
    })
    return {
      personId,
      email,
      password: TEST_PASSWORD,
      firstName,
      lastName,
      cookies: new Map(signedIn ? [['rookery', token]] : []),
    }
  }

  /** An organization on its trial; `owner` is its admin. */
  function organization(owner: TestPerson, name = 'My Workspace'): Promise<string> {
    return asSystem(databases.system, (tx) =>
      createOrganization(tx, { personId: owner.personId, name, orgType: 'organization', orgSize: '2-10' }, clock.now()),
    )
  }

  /** A project with its system roles; `owner` has Admin. */
  async function project(
    orgId: string,
    owner: TestPerson,
    options: { name?: string; zone?: string } = {},
  ): Promise<{ projectId: string; roles: Record<SystemRole, string> }> {
    const { name = `Project ${randomBytes(4).toString('hex')}`, zone = 'Europe/London' } = options
    return await asSystem(databases.system, (tx) =>
      createProject(tx, { orgId, personId: owner.personId, name, zone }, clock.now()),
    )
  }

  async function signedInOwner(): Promise<TestHome> {
    const owner = await person({ firstName: 'Olive', lastName: 'Owner' })
    const orgId = await organization(owner)
    const { projectId, roles } = await project(orgId, owner)
    return { person: owner, orgId, projectId, roles, params: { orgId, projectId } }
  }

  /** A colleague in the project with a system role, or with none; `channelIds` limits the role to these channels. */
  async function colleague(
    home: TestHome,
    role: SystemRole | 'none',
    options: { channelIds?: string[]; firstName?: string } = {},
  ): Promise<TestPerson> {
    const teammate = await person({ firstName: options.firstName ?? 'Cole', lastName: role })
    const now = clock.now()
    await asSystem(databases.system, async (tx) => {
      await tx
        .insertInto('member')
        .values({ org_id: home.orgId, person_id: teammate.personId, is_admin: false, added_at: now, removed_at: null })
        .execute()
      await tx
        .insertInto('project_member')
        .values({
          org_id: home.orgId,
          project_id: home.projectId,
          person_id: teammate.personId,
          role_id: role === 'none' ? null : home.roles[role],
          channel_ids: options.channelIds ?? null,
          added_at: now,
        })
        .execute()
    })
    return teammate
  }

  /** A member of the organization who isn't in any project. */
  async function memberOnly(home: TestHome): Promise<TestPerson> {
    const teammate = await person({ firstName: 'Mem', lastName: 'Only' })
    await asSystem(databases.system, (tx) =>
      tx
        .insertInto('member')
        .values({
          org_id: home.orgId,
          person_id: teammate.personId,
          is_admin: false,
          added_at: clock.now(),
          removed_at: null,
        })
        .execute(),
    )
    return teammate
  }

  /** The same person in another browser, signed in. */
  async function anotherBrowser(who: TestPerson): Promise<TestPerson> {
    const token = randomBytes(32).toString('base64url')
    const now = clock.now()
    await asSystem(databases.system, (tx) =>
      tx
        .insertInto('session')
        .values({
          id: randomUUIDv7(),
          token_hash: hashToken(token),
          person_id: who.personId,
          created_at: now,
          last_seen_at: now,
          expires_at: new Date(now.getTime() + 30 * 86_400_000),
        })
        .execute(),
    )
    return { ...who, cookies: new Map([['rookery', token]]) }
  }

  return { person, anotherBrowser, organization, project, signedInOwner, colleague, memberOnly }
}
