import type { ComponentProps } from 'react'
import type { ProjectUser } from '#contract/members.ts'
import { effective, publishingWords } from '#contract/permissions.ts'
import { pageOfRoles } from '#contract/roles.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { RoleSummary } from '#web/ui/RoleSummary.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { nameOf } from './rights.ts'

/** Whether the person publishes, needs approval or has no access to publishing; a custom role shows what it allows instead. */
export function PermissionsCell({ ids, user }: { ids: ProjectIds; user: ProjectUser }) {
  if (user.role?.kind !== 'custom') return <span className="whitespace-nowrap">{publishingWords[user.publishes]}</span>
  const { role } = user
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 whitespace-nowrap">
      {customWords(user)}
      <Popover
        label={`What ${nameOf(user)} can do`}
        className="w-80"
        trigger={<CustomButton roleName={role.name} userName={nameOf(user)} />}
      >
        <CustomRole ids={ids} user={user} roleId={role.roleId} />
      </Popover>
    </span>
  )
}

/** A role that has nothing to do with publishing isn't one without access. */
function customWords({ publishes, publishing, answers }: ProjectUser): string {
  if (publishes !== 'none') return publishingWords[publishes]
  if (answers) return 'Answers people'
  return publishing === 'none' ? publishingWords.none : 'No publishing'
}

/** Gets what the popover gives its trigger. */
function CustomButton({
  roleName,
  userName,
  ...rest
}: ComponentProps<'button'> & { roleName: string; userName: string }) {
  return (
    <Tooltip text={`What the role ${roleName} can do`}>
      <button
        {...rest}
        type="button"
        aria-label={`Custom: what ${userName} can do`}
        className="hit-area h-5.5 rounded-full bg-sunken px-2 text-xs font-bold text-ink-muted inset-ring inset-ring-line hover:text-ink"
      >
        Custom
      </button>
    </Tooltip>
  )
}

function CustomRole({ ids, user, roleId }: { ids: ProjectIds; user: ProjectUser; roleId: string }) {
  const roles = useCall(pageOfRoles, { params: ids, query: { limit: 100 } }, { handles: true })
  return (
    <Loaded query={roles} skeleton={<SkeletonLines lines={4} />}>
      {({ roles: all }) => {
        const role = all.find((one) => one.roleId === roleId)
        return role ? (
          <div className="grid gap-3">
            <p className="font-bold">{role.name}</p>
            <RoleSummary permissions={effective(role.permissions, user.publishing)} cannot={false} />
          </div>
        ) : (
          <p className="text-ink-muted">This role was deleted.</p>
        )
      }}
    </Loaded>
  )
}
