import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import type { ComponentProps } from 'react'
import { findProject, useHome, useProjectIds } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { deferrable, Deferred } from '#web/ui/Deferred.tsx'

const menu = deferrable<object>(() => import('./ProjectMenu.tsx'))

/** Which project this is, and the way to the others. */
export function ProjectSwitcher() {
  return <Deferred kind="menu" opens={menu} given={{}} trigger={<CurrentProject />} />
}

function CurrentProject(props: ComponentProps<'button'>) {
  const home = useHome()
  const here = findProject(home.data, useProjectIds())
  return (
    <button
      {...props}
      type="button"
      className="flex w-full items-center gap-2.5 rounded-md border border-transparent p-1.5 text-left transition-colors hover:border-line hover:bg-surface data-[state=open]:border-line data-[state=open]:bg-surface"
    >
      <span className="sr-only">Switch project. Current project: </span>
      {here ? (
        <>
          <Avatar square size={26} name={here.project.projectName} />
          <span className="min-w-0 grow">
            <b dir="auto" className="block truncate leading-tight font-bold">
              {here.project.projectName}
            </b>
            <small className="block truncate text-xs text-ink-muted">{here.organization.orgName}</small>
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
  )
}
