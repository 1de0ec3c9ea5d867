import { getRouteApi, useNavigate } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { FIRST_PAGE } from '#contract/constants.ts'
import { plan } from '#contract/organizations.ts'
import { pageOfRoles } from '#contract/roles.ts'
import { RoleDialog } from '#web/features/roles/RoleDialog.tsx'
import { RoleTable, type RoleRights } from '#web/features/roles/RoleTable.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { upgrade } from '#web/lib/upgrade.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { gateWords } from '#web/lib/gates.ts'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/$orgId/project/$projectId/roles')

export default function RolesScreen() {
  const ids = useProjectIds()
  const { page = FIRST_PAGE, role: open, from } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/project/$projectId/roles' })
  const go = (search: { page?: number; role?: string; from?: string }) =>
    void navigate({ search: (before) => ({ ...before, role: undefined, from: undefined, ...search }), replace: true })

  const roles = useCall(pageOfRoles, { params: ids, query: { page } }, { keepPrevious: true, handles: true })
  // an address may name a role of another page
  const everyRole = useCall(
    pageOfRoles,
    { params: ids, query: { limit: 100 } },
    { handles: true, enabled: open !== undefined },
  )
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const may: RoleRights = {
    create: useMay([['role', 'create']]) === 'yes',
    edit: useMay([['role', 'edit']]) === 'yes',
    remove: useMay([['role', 'delete']]) === 'yes',
  }
  const closed = facts.data?.closed.includes('custom_roles') ?? false
  const create = (source?: string) =>
    closed ? upgrade.open({ gate: 'custom_roles' }) : go({ role: 'new', ...(source ? { from: source } : {}) })
  const button = may.create ? (
    <Button icon={<Plus size={15} aria-hidden />} onClick={() => create()}>
      Create role
    </Button>
  ) : null
  const find = (roleId: string | undefined) =>
    [roles, everyRole].flatMap(({ data }) => data?.roles ?? []).find((role) => role.roleId === roleId)
  const shown = open === 'new' ? undefined : find(open)
  const source = find(from)
  // a copy waits for what it is a copy of
  const isReady = from === undefined || source !== undefined || everyRole.isFetched

  return (
    <Page
      title="Roles"
      controls={roles.data ? <span className="max-md:hidden">{button}</span> : null}
      bar={
        <div className="flex grow flex-wrap items-center justify-between gap-3">
          <p className="text-ink-muted">What members can do in this project. Each member has one role.</p>
          <span className="empty:hidden md:hidden">{roles.data ? button : null}</span>
        </div>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Loaded
          query={roles}
          isEmpty={({ roles: rows }) => rows.length === 0}
          empty={
            <EmptyState
              icon={<ShieldCheck size={20} />}
              title="No roles on this page"
              action={<Button onClick={() => go({ page: FIRST_PAGE })}>First page</Button>}
            />
          }
        >
          {({ roles: rows, pagination }) => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <RoleTable
                ids={ids}
                roles={rows}
                may={may}
                onOpen={(roleId) => go({ role: roleId })}
                onDuplicate={create}
              />
              <Pagination
                page={pagination.currentPage}
                totalPages={pagination.totalPages}
                onPage={(next) => go({ page: next })}
                loading={roles.isPlaceholderData}
              />
            </div>
          )}
        </Loaded>
        {closed && may.create ? (
          <Banner
            tone="info"
            title={gateWords.custom_roles.title}
            actions={
              <Button size="s" onClick={() => upgrade.open({ gate: 'custom_roles' })}>
                See plans
              </Button>
            }
          >
            {gateWords.custom_roles.text}
          </Banner>
        ) : null}
      </div>
      {open === 'new' && may.create && !closed && isReady ? (
        <RoleDialog ids={ids} role={undefined} from={source} mayEdit onClose={() => go({})} />
      ) : null}
      {shown ? (
        <RoleDialog key={shown.roleId} ids={ids} role={shown} mayEdit={may.edit && !closed} onClose={() => go({})} />
      ) : null}
    </Page>
  )
}
