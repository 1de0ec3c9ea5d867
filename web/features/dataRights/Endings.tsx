import type { Home } from '#contract/organizations.ts'
import { localZone } from '#web/lib/dates.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { endOf, useKeep, type Dying } from './useKeep.ts'

/**
 * Shown when nothing else is left: the organizations being deleted, which their admins can keep; for others, why they
 * can't enter. Shows nothing if there are none.
 */
export function Endings({ home: { organizations, shut } }: { home: Pick<Home, 'organizations' | 'shut'> }) {
  const dying = organizations.flatMap((org) => (org.deletesAt === null ? [] : [{ ...org, deletesAt: org.deletesAt }]))
  if (dying.length === 0 && shut.length === 0) return null
  const zone = localZone()
  return (
    <div className="mb-4 grid gap-3">
      {dying.map((org) => (
        <Ending key={org.orgId} org={org} zone={zone} />
      ))}
      {shut.map(({ orgName, deletesAt }, index) => (
        <Banner key={index} tone="info" title={`${orgName} is being deleted`}>
          You can't open it anymore. Its admins can cancel the deletion until {endOf(deletesAt, zone)}.
        </Banner>
      ))}
    </div>
  )
}

function Ending({ org, zone }: { org: Dying & Pick<Home['organizations'][number], 'projects'>; zone: string }) {
  const keep = useKeep(org)
  const [project] = org.projects
  return (
    <Banner
      tone="bad"
      title={`${org.orgName} will be deleted on ${endOf(org.deletesAt, zone)}`}
      actions={
        <>
          <Button size="s" loading={keep.isPending} onClick={keep.run}>
            Cancel deletion
          </Button>
          {project ? (
            <Link
              to="/$orgId/project/$projectId/org-settings"
              params={{ orgId: org.orgId, projectId: project.projectId }}
              className="self-center px-1.5 text-sm"
            >
              Organization settings
            </Link>
          ) : null}
        </>
      }
    >
      Until then, nothing is published. You can still get a copy of everything in its settings.
    </Banner>
  )
}
