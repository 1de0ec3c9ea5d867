import { plan } from '#contract/organizations.ts'
import { useIsOrgAdmin } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { shell } from './shellState.ts'

/** Begins one more project, or opens the upgrade screen where the plan has no room for it; undefined for who may not. */
export function useNewProject(): (() => void) | undefined {
  const ids = useProjectIds()
  const isAdmin = useIsOrgAdmin(ids)
  const limits = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true }).data
  if (!isAdmin) return undefined
  // nobody should fill in what will be refused
  const full = limits !== undefined && limits.maxProjects !== null && limits.currentProjects >= limits.maxProjects
  return () => (full ? upgrade.open({ gate: 'projects' }) : shell.open('newProject'))
}
