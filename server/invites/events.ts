/**
 * The live event about a project's invitations. It names the project, since everyone there gets it: with an invitation's ID
 * anyone could read to whom it was sent.
 */
export const invitesChanged = ({ projectId }: { projectId: string }) => ({
  kind: 'member' as const,
  ref: projectId,
  projectId,
})
