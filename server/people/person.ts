import { setupFeatures, type SetupFeature, type User } from '#contract/identity.ts'
import type { Tx } from '../db/kysely.ts'

const columns = [
  'id',
  'email',
  'first_name',
  'last_name',
  'confirmed_at',
  'setup_completed',
  'setup_features',
  'picture_id',
  'pending_email',
] as const

/** The URL of a picture. */
export const addressOfPicture = (pictureId: string): string => `/api/user/picture/${pictureId}`
/** The URL of a person's picture; null if there is none. */
export const pictureAddress = (pictureId: string | null): string | null =>
  pictureId === null ? null : addressOfPicture(pictureId)

/** A person as they see themselves. In a system transaction, because people belong to no tenant. */
export async function readUser(tx: Tx, personId: string): Promise<User> {
  const person = await tx.selectFrom('person').select(columns).where('id', '=', personId).executeTakeFirstOrThrow()
  const admin = await tx
    .selectFrom('member')
    .select('org_id')
    .where('person_id', '=', personId)
    .where('is_admin', '=', true)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return {
    userId: person.id,
    firstName: person.first_name,
    lastName: person.last_name,
    email: person.email,
    profileUrl: pictureAddress(person.picture_id),
    confirmed: person.confirmed_at !== null,
    pendingEmail: person.pending_email,
    isOrgAdmin: admin !== undefined,
    setupProgress: {
      isCompleted: person.setup_completed,
      features: setupFeatures.map((feature) => ({ feature, isCompleted: person.setup_features.includes(feature) })),
    },
  }
}

/** Renames a person. */
export async function rename(tx: Tx, personId: string, name: { firstName: string; lastName: string }): Promise<void> {
  await tx
    .updateTable('person')
    .set({ first_name: name.firstName, last_name: name.lastName })
    .where('id', '=', personId)
    .execute()
}

/** Dismisses the dashboard's setup card permanently. */
export async function completeSetup(tx: Tx, personId: string): Promise<void> {
  await tx.updateTable('person').set({ setup_completed: true }).where('id', '=', personId).execute()
}

/**
 * Checks a feature of the setup card off; the card is complete with the last one. Repeating it changes nothing.
 */
export async function finishSetupFeature(tx: Tx, personId: string, feature: SetupFeature): Promise<void> {
  const { setup_features: before } = await tx
    .selectFrom('person')
    .select('setup_features')
    .where('id', '=', personId)
    // weaker than for update: a transaction that waits for this one may have written rows that reference the person
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (before.includes(feature)) return
  const features = [...before, feature]
  const all = setupFeatures.every((one) => features.includes(one))
  await tx
    .updateTable('person')
    .set({ setup_features: features, ...(all && { setup_completed: true }) })
    .where('id', '=', personId)
    .execute()
}

/** The project the person used last, so that /onboarding can lead back there. */
export async function rememberProject(tx: Tx, personId: string, orgId: string, projectId: string): Promise<void> {
  await tx
    .updateTable('person')
    .set({ last_org_id: orgId, last_project_id: projectId })
    .where('id', '=', personId)
    .where((e) =>
      e.or([e('last_project_id', 'is distinct from', projectId), e('last_org_id', 'is distinct from', orgId)]),
    )
    .execute()
}

/** Which of these people have an authenticator app or a passkey. In a system transaction. */
export async function withSecondFactor(tx: Tx, personIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (personIds.length === 0) return new Set()
  const rows = await tx
    .selectFrom('person')
    .select('person.id')
    .where('person.id', 'in', personIds)
    .where((e) =>
      e.or([
        e('person.totp_confirmed_at', 'is not', null),
        e.exists(e.selectFrom('passkey').select('passkey.id').whereRef('passkey.person_id', '=', 'person.id')),
      ]),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}
