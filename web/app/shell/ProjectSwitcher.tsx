import { useNavigate } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { Fragment } from 'react'
import { count } from '#web/lib/format.ts'
import { findProject, useHome, useProjectIds } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/Menu.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'

/** Which project this is, and the way to the others. */
export function ProjectSwitcher() {
  const ids = useProjectIds()
  const home = useHome()
  const navigate = useNavigate()
  const here = findProject(home.data, ids)
  return (
    <Menu
      label="Projects"
      className="w-62"
      trigger={
        <button
          type="button"
          aria-label={here ? `Project ${here.project.projectName}. Switch project` : 'Switch project'}
          className="flex w-full items-center gap-2.5 rounded-md border border-transparent p-1.5 text-left transition-colors hover:border-line hover:bg-surface data-[state=open]:border-line data-[state=open]:bg-surface"
        >
          {here ? (
            <>
              <Avatar square size={26} name={here.project.projectName} />
              <span className="min-w-0 grow">
                <b className="block truncate leading-tight font-bold">{here.project.projectName}</b>
                <small className="block truncate text-xs text-ink-muted">
                  {here.organisation.orgName}, {count(here.project.channels, 'channel')}
                </small>
              </span>
            </>
          ) : (
            <>
              <Skeleton className="size-6.5 rounded-md" />
              <Skeleton className="h-3.5 grow" />
            </>
          )}
          <ChevronsUpDown size={13} aria-hidden className="shrink-0 text-ink-faint" />
        </button>
      }
    >
      {home.data?.organisations.map((organisation, index) => (
        <Fragment key={organisation.orgId}>
          {index > 0 ? <MenuSeparator /> : null}
          <MenuLabel>{organisation.orgName}</MenuLabel>
          {organisation.projects.map((project) => (
            <MenuItem
              key={project.projectId}
              icon={<Avatar square size={18} name={project.projectName} />}
              end={project.projectId === ids.projectId ? <Check size={14} aria-label="current" className="text-accent" /> : null}
              onSelect={() => void navigate({ to: '/$orgId/project/$projectId/dashboard', params: { orgId: organisation.orgId, projectId: project.projectId } })}
            >
              {project.projectName}
            </MenuItem>
          ))}
        </Fragment>
      ))}
    </Menu>
  )
}
