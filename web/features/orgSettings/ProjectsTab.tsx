import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { FIRST_PAGE, STALE_TIME } from '#contract/constants.ts'
import { listOrgUsers } from '#contract/members.ts'
import { home, plan } from '#contract/organizations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  deleteProject,
  listOrgChannels,
  listProjects,
  projectContents,
  type OrgProject,
} from '#contract/orgSettings.ts'
import { billingStatus, excess, pricing } from '#contract/billing.ts'
import { count, dateOf } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { keyOf, useCall, useFresh, useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ChipList } from '#web/ui/ChipList.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { toast } from '#web/ui/toast.ts'
import type { PagedTab } from './pagedTab.ts'
import { ProjectNameCell } from './ProjectNameCell.tsx'

/** Every project of the organization. The list hides if it can't be loaded. */
export function ProjectsTab({
  orgId,
  zone,
  page,
  onPage,
  onNew,
}: PagedTab & { /** Creates another one. */ onNew: (() => void) | undefined }) {
  const projects = useCall(
    listProjects,
    { params: { orgId }, query: { page } },
    { keepPrevious: true, handles: true, staleTime: STALE_TIME.projects },
  )
  const mayEdit = useMay([['project', 'edit']], { level: 'organization' }) === 'yes'
  const mayDelete = useMay([['project', 'delete']], { level: 'organization' }) === 'yes'
  const [asked, setAsked] = useState<string>()
  const chosen = projects.data?.projects.find((one) => one.projectId === asked)
  const columns: readonly Column<OrgProject>[] = [
    { key: 'name', header: 'Name', cell: (row) => <ProjectNameCell orgId={orgId} project={row} mayEdit={mayEdit} /> },
    {
      key: 'users',
      header: 'Users',
      className: 'card-pairs:w-full!',
      cell: (row) => (
        <ChipList
          items={row.projectUsers.map(({ firstName, lastName }) => `${firstName} ${lastName}`.trim() || 'Unnamed')}
        />
      ),
    },
    {
      key: 'channels',
      header: 'Connected Channels',
      className: 'card-pairs:w-full!',
      cell: (row) => <ChipList items={row.channels.map(({ channelName }) => channelName)} />,
    },
    {
      key: 'created',
      header: 'Created On',
      cell: (row) => <span className="tnum whitespace-nowrap">{dateOf(row.createdAt, zone)}</span>,
    },
    {
      key: 'action',
      header: 'Action',
      align: 'end',
      corner: true,
      cell: (row) => (
        <Menu
          align="end"
          label={`Actions for ${row.projectName}`}
          trigger={<IconButton label={`Actions for ${row.projectName}`} icon={<Ellipsis size={16} />} />}
        >
          <MenuItem
            icon={<Trash2 size={15} />}
            danger
            why={mayDelete ? undefined : "Your role doesn't allow this."}
            onSelect={() => setAsked(row.projectId)}
          >
            Delete
          </MenuItem>
        </Menu>
      ),
    },
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Loaded
        query={projects}
        onError={() => null}
        isEmpty={({ projects: rows }) => rows.length === 0}
        empty={
          <EmptyState
            title={page > FIRST_PAGE ? 'No projects on this page' : 'No projects yet'}
            action={page > FIRST_PAGE ? <Button onClick={() => onPage(FIRST_PAGE)}>First page</Button> : null}
          />
        }
      >
        {({ projects: rows, pagination }) => (
          <>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <p className="tnum text-ink-muted">{count(pagination.totalCount, 'project')}</p>
              {onNew ? (
                <Button size="s" icon={<Plus size={14} aria-hidden />} onClick={onNew}>
                  New project
                </Button>
              ) : null}
            </div>
            <Table wide label="Projects" columns={columns} rows={rows} rowKey={(row) => row.projectId} />
            <Pagination
              page={pagination.currentPage}
              totalPages={pagination.totalPages}
              onPage={onPage}
              loading={projects.isPlaceholderData}
            />
          </>
        )}
      </Loaded>
      {chosen ? <DeleteDialog orgId={orgId} project={chosen} zone={zone} onClose={() => setAsked(undefined)} /> : null}
    </div>
  )
}

function DeleteDialog({
  orgId,
  project,
  zone,
  onClose,
}: {
  orgId: string
  project: OrgProject
  zone: string
  onClose: () => void
}) {
  const facts = useFresh(projectContents, { params: { orgId, id: project.projectId } })
  const queries = useQueryClient()
  const navigate = useNavigate()
  const send = useSend(deleteProject, {
    refreshes: [listProjects, listOrgChannels, listOrgUsers, plan, billingStatus, pricing, excess],
    onSuccess: async ({ message }) => {
      toast.success(message ?? 'Project deleted successfully')
      await queries.invalidateQueries({ queryKey: keyOf(home), refetchType: 'none' })
      await navigate({ to: '/onboarding' })
    },
  })
  return (
    <ConfirmDialog
      open
      facts={facts}
      onOpenChange={onClose}
      title={`Delete ${project.projectName}?`}
      action="Delete project"
      loading={send.isPending}
      onConfirm={() => send.mutate({ params: { orgId, id: project.projectId } })}
    >
      {facts.data ? <Losses {...facts.data} zone={zone} /> : null}
    </ConfirmDialog>
  )
}

type LossesProps = ReplyOf<typeof projectContents> & { zone: string }

/** What is deleted with the project, in numbers, and what stays. */
function Losses({ users, channels, scheduledPosts: posts, zone, ...contents }: LossesProps) {
  const lost = lostWith(contents, zone)
  return (
    <>
      <p>
        {count(users, 'user')} {users === 1 ? 'loses' : 'lose'} access to it immediately
        {channels > 0 ? `, and ${count(channels, 'channel')} ${channels === 1 ? 'is' : 'are'} disconnected` : ''}.{' '}
        {posts > 0 ? (
          <b className="font-bold text-ink">{`${count(posts, 'scheduled post')} won't be published.`}</b>
        ) : (
          'No posts are scheduled in it.'
        )}
      </p>
      {lost.length > 0 ? (
        <>
          <p className="mt-2">Nobody can open these anymore:</p>
          <ul className="list-disc ps-5">
            {lost.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      ) : null}
      <p className="mt-2">Published posts stay on the platforms. You can&apos;t undo this.</p>
    </>
  )
}

/** "12 drafts", "340 published posts with their figures, since 03 Mar 2025", ... Nothing for zero. */
function lostWith(
  {
    drafts,
    publishedPosts,
    publishedSince,
    files,
    campaigns,
  }: Omit<LossesProps, 'users' | 'channels' | 'scheduledPosts' | 'zone'>,
  zone: string,
): string[] {
  const since = publishedSince === null ? '' : `, since ${dateOf(publishedSince, zone)}`
  return [
    ...(drafts > 0 ? [count(drafts, 'draft')] : []),
    ...(publishedPosts > 0 ? [`The history and metrics of ${count(publishedPosts, 'published post')}${since}`] : []),
    ...(files > 0 ? [count(files, 'file')] : []),
    ...(campaigns > 0 ? [count(campaigns, 'campaign')] : []),
  ]
}
