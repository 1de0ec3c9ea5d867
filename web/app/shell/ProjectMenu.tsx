import { useNavigate } from '@tanstack/react-router'
import Check from 'lucide-react/icons/check'
import Plus from 'lucide-react/icons/plus'
import { Fragment } from 'react'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import type { DeferredTrigger } from '#web/ui/Deferred.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { MenuPanel, MenuItem, MenuLabel, MenuSeparator } from '#web/ui/MenuPanel.tsx'
import { useNewProject } from './useNewProject.ts'

/** All projects of all organizations of the person. */
export default function ProjectMenu({ trigger }: { trigger: DeferredTrigger }) {
  const ids = useProjectIds()
  const home = useHome()
  const navigate = useNavigate()
  const newProject = useNewProject()
  return (
    <MenuPanel defaultOpen label="Projects" className="w-62" trigger={trigger}>
      {home.data?.organizations.map((organization, index) => (
        <Fragment key={organization.orgId}>
          {index > 0 ? <MenuSeparator /> : null}
          <MenuLabel>{organization.orgName}</MenuLabel>
          {organization.projects.map((project) => (
            <MenuItem
              key={project.projectId}
              icon={<Avatar square size={18} name={project.projectName} />}
              end={
                project.projectId === ids.projectId ? (
                  <Check size={14} aria-label="current" className="text-accent" />
                ) : null
              }
              onSelect={() =>
                void navigate({
                  to: '/$orgId/project/$projectId/dashboard',
                  params: { orgId: organization.orgId, projectId: project.projectId },
                })
              }
            >
              {project.projectName}
            </MenuItem>
          ))}
        </Fragment>
      ))}
      {newProject ? (
        <>
          <MenuSeparator />
          <MenuItem icon={<Plus size={15} />} onSelect={newProject}>
            New project
          </MenuItem>
        </>
      ) : null}
    </MenuPanel>
  )
}
