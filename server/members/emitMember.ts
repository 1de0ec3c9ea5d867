import type { ProjectRequest } from '../http/route.ts'

type Teller = Pick<ProjectRequest, 'emit'>

/**
 * Notifies open screens that someone's access to the project changed: those of the project, whose streams check their
 * permissions again, and the person's own in the organization's other projects.
 */
export async function emitMember({ emit }: Teller, userId: string): Promise<void> {
  await emit({ kind: 'member', ref: userId })
  await emit({ kind: 'member', ref: userId, personId: userId, projectId: null })
}

/** Notifies the organization's open screens that someone joined, left, or changed. */
export async function emitOrganizationMember({ emit }: Teller, userId: string, orgId?: string): Promise<void> {
  await emit({ kind: 'member', ref: userId, projectId: null, ...(orgId !== undefined && { orgId }) })
}
