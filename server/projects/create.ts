import { randomUUIDv7 } from 'node:crypto'
import type { OnboardingStep } from '#contract/organizations.ts'
import { systemRoles, type SystemRole } from '#contract/permissions.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { createDefaultWorkflow } from '../workflows/edit.ts'

export type NewProject = {
  orgId: string
  personId: string
  name: string
  description?: string | undefined
  zone: string
  /** The first step of its wizard; 'done' for none. */ step?: OnboardingStep
}
export type MadeProject = { projectId: string; roles: Record<SystemRole, string> }

/**
 * Creates a project with its three system roles, its creator as Admin, and the workflow "Any Admin". Throws NAME_TAKEN,
 * ignoring case.
 */
export async function createProject(
  tx: Tx,
  { orgId, personId, name, description = '', zone, step = 'addChannels' }: NewProject,
  now: Date,
): Promise<MadeProject> {
  const projectId = randomUUIDv7()
  const roles = { admin: randomUUIDv7(), editor: randomUUIDv7(), user: randomUUIDv7() }
  const row = {
    org_id: orgId,
    id: projectId,
    name,
    description,
    zone,
    onboarding_step: step,
    created_at: now,
    created_by: personId,
  }
  const inserted = await tx
    .insertInto('project')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted)
    throw fail('NAME_TAKEN', {
      detail: 'A project with this name already exists.',
      errors: { projectName: ['A project with this name already exists.'] },
    })
  await tx
    .insertInto('role')
    .values(
      (['admin', 'editor', 'user'] as const).map((kind) => ({
        org_id: orgId,
        id: roles[kind],
        project_id: projectId,
        kind,
        name: systemRoles[kind].name,
        permissions: JSON.stringify(systemRoles[kind].permissions),
      })),
    )
    .execute()
  await tx
    .insertInto('project_member')
    .values({
      org_id: orgId,
      project_id: projectId,
      person_id: personId,
      role_id: roles.admin,
      channel_ids: null,
      added_at: now,
    })
    .execute()
  await createDefaultWorkflow(tx, { orgId, projectId, adminRoleId: roles.admin }, now)
  return { projectId, roles }
}
