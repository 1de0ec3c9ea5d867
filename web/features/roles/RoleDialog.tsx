import { tidy } from '#contract/permissions.ts'
import { myPermissions } from '#contract/organizations.ts'
import type { Role } from '#contract/roles.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { RoleSummary } from '#web/ui/RoleSummary.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { grantablePart } from './choosing.ts'
import { PermissionTable } from './PermissionTable.tsx'
import { RoleEditor } from './RoleEditor.tsx'

type Props = {
  ids: ProjectIds
  /** The role to show; undefined for a new one. */
  role: Role | undefined
  /** The role that a new one is copied from. */
  from?: Role | undefined
  /** Whether a custom role can be changed by this person. */
  mayEdit: boolean
  onClose: () => void
}

/** A role: its editor, or a read-only view for people who can't change it and for the three system roles. */
export function RoleDialog({ ids, role, from, mayEdit, onClose }: Props) {
  const mine = useCall(myPermissions, { params: ids }, { handles: true })
  const editable = role === undefined || (role.kind === 'custom' && mayEdit)
  if (editable && mine.data) {
    const start = from
      ? {
          name: `Copy of ${from.name}`.slice(0, 50),
          permissions: tidy(grantablePart(from.permissions, mine.data.project)),
        }
      : undefined
    return <RoleEditor ids={ids} role={role} start={start} mine={mine.data} onClose={onClose} />
  }
  return (
    <Dialog open onOpenChange={onClose} title={role?.name ?? 'Create role'} size="l">
      <Loaded query={mine} skeleton={<SkeletonLines lines={8} />}>
        {(own) => (role ? <ReadOnly role={role} own={own.project} /> : null)}
      </Loaded>
    </Dialog>
  )
}

function ReadOnly({ role, own }: { role: Role; own: Role['permissions'] }) {
  return (
    // nothing in it can be pressed, but the keyboard has to scroll it
    <div
      role="region"
      aria-label={role.name}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="grid items-start gap-6 rounded-md md:grid-cols-[minmax(0,1fr)_15rem]"
    >
      <div className="grid gap-3">
        {role.kind === 'custom' ? null : (
          <p className="text-ink-muted">
            Admin, Editor and User are the same in every project and can't be changed. Duplicate one to create your own
            role.
          </p>
        )}
        <PermissionTable value={role.permissions} own={own} />
      </div>
      <aside aria-label="What the role can do" className="rounded-md bg-sunken p-3 inset-ring inset-ring-line">
        <RoleSummary permissions={role.permissions} />
      </aside>
    </div>
  )
}
