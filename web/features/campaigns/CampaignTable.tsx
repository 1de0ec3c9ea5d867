import type { Campaign } from '#contract/campaigns.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { CampaignMenu, type CampaignRights } from './CampaignMenu.tsx'
import { datesOf, standingOf } from './standing.ts'

type Props = { campaigns: readonly Campaign[]; may: CampaignRights; onEdit: (campaignId: string) => void }

/** Campaigns as rows with the numbers of their posts; each leads to its own page. */
export function CampaignTable({ campaigns, may, onEdit }: Props) {
  const ids = useProjectIds()
  const columns: readonly Column<Campaign>[] = [
    {
      key: 'name',
      header: 'Name',
      className: 'rows:w-2/5',
      cell: (row) => (
        <span className="flex min-w-0 items-baseline gap-2.5">
          <LabelDot color={row.color} />
          <span className="grid min-w-0">
            <Link
              to="/$orgId/project/$projectId/campaigns/$campaignId"
              params={{ ...ids, campaignId: row.campaignId }}
              className="truncate font-semibold! text-ink! no-underline! hover:underline!"
            >
              {row.name}
            </Link>
            {row.description ? (
              <span dir="auto" className="truncate text-sm text-ink-muted">
                {row.description}
              </span>
            ) : null}
          </span>
        </span>
      ),
    },
    {
      key: 'state',
      header: 'State',
      bare: true,
      cell: (row) => <Badge tone={standingOf(row).tone}>{standingOf(row).word}</Badge>,
    },
    {
      key: 'dates',
      header: 'Dates',
      bare: true,
      cell: (row) => (
        <span className="tnum text-sm whitespace-nowrap text-ink-muted">{datesOf(row) ?? 'No dates'}</span>
      ),
    },
    { key: 'posts', header: 'Posts', align: 'end', bare: true, cell: (row) => <PostCount of={row.posts.all} /> },
    {
      key: 'scheduled',
      header: 'Scheduled',
      align: 'end',
      notInCards: true,
      cell: (row) => <span className="tnum">{row.posts.scheduled.toLocaleString('en')}</span>,
    },
    {
      key: 'published',
      header: 'Published',
      align: 'end',
      notInCards: true,
      cell: (row) => <span className="tnum">{row.posts.published.toLocaleString('en')}</span>,
    },
    {
      key: 'failed',
      header: 'Failed',
      align: 'end',
      notInCards: true,
      cell: (row) => (
        <span className={row.posts.failed > 0 ? 'tnum font-semibold text-bad' : 'tnum'}>
          {row.posts.failed.toLocaleString('en')}
        </span>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'end',
      corner: true,
      cell: (row) => <CampaignMenu campaign={row} may={may} onEdit={() => onEdit(row.campaignId)} />,
    },
  ]
  return <Table wide label="Campaigns" columns={columns} rows={campaigns} rowKey={(row) => row.campaignId} />
}

function PostCount({ of }: { of: number }) {
  return (
    <span className="tnum cards:text-sm cards:text-ink-muted">
      {of.toLocaleString('en')}
      <span className="rows:hidden"> {of === 1 ? 'post' : 'posts'}</span>
    </span>
  )
}
