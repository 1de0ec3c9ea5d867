import FileChartColumn from 'lucide-react/icons/file-chart-column'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useState } from 'react'
import { listReports, type ReportEntry } from '#contract/reports/reports.ts'
import { spanText } from '#contract/days.ts'
import { agoOf, count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay, useViewOnlyReason } from '#web/lib/permissions.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { paperClass, Panel } from '#web/ui/Panel.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { spanWords } from '../dayWords.ts'
import { nextSending } from './nextSending.ts'
import { ReportActions } from './ReportActions.tsx'

const NewReportDialog = lazy(() => import('./NewReportDialog.tsx'))

/** The project's reports, and the way to a new one. `onOpen` shows one that was just created. */
export function ReportList({ onOpen }: { onOpen: (reportId: string) => void }) {
  const ids = useProjectIds()
  const found = useCall(listReports, { params: ids }, { handles: true })
  const mayCreate = useMay([['insights', 'create']]) === 'yes'
  const viewOnly = useViewOnlyReason() ?? "Your role doesn't allow creating reports. Ask a project admin."
  const [isAdding, setAdding] = useState(false)
  const reports = found.data?.reports ?? []
  const most = found.data?.most ?? 0
  const add = (
    <Button tone="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      New report
    </Button>
  )
  return (
    <>
      <Loaded
        query={found}
        isEmpty={(data) => data.reports.length === 0}
        empty={
          <EmptyState icon={<FileChartColumn size={20} />} title="No reports yet" action={mayCreate ? add : null}>
            A report puts your figures, charts and best posts on pages with your logo. Share it by link, or have it sent
            every week or month. {mayCreate ? null : viewOnly}
          </EmptyState>
        }
      >
        {() => (
          <Panel
            title={count(reports.length, 'report')}
            aside={
              !mayCreate ? null : reports.length < most ? (
                add
              ) : (
                <p className="text-sm text-ink-muted">A project has at most {most}. Delete one to create another.</p>
              )
            }
          >
            <div className={paperClass}>
              <Table label="Reports" columns={columns} rows={reports} rowKey={({ reportId }) => reportId} wide />
            </div>
          </Panel>
        )}
      </Loaded>
      {isAdding ? (
        <Contained>
          <Suspense fallback={null}>
            <NewReportDialog
              onClose={() => setAdding(false)}
              onCreated={(reportId) => {
                setAdding(false)
                onOpen(reportId)
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
}

const columns: readonly Column<ReportEntry>[] = [
  { key: 'name', header: 'Name', cell: (report) => <Name report={report} /> },
  {
    key: 'days',
    header: 'Days',
    cell: ({ days, range }) => (
      <span>
        {days.span === 'custom' ? null : <>{spanWords[days.span]} </>}
        <span className={days.span === 'custom' ? 'tnum' : 'tnum block text-sm text-ink-muted'}>{spanText(range)}</span>
      </span>
    ),
  },
  { key: 'changed', header: 'Last changed', cell: (report) => <Changed report={report} /> },
  { key: 'next', header: 'Next sending', cell: ({ schedules }) => <Next schedules={schedules} /> },
  {
    key: 'links',
    header: 'Open links',
    align: 'end',
    cell: ({ links }) => <span className={links === 0 ? 'text-ink-muted' : 'tnum'}>{links === 0 ? '–' : links}</span>,
  },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    corner: true,
    align: 'end',
    cell: (report) => <ReportActions report={report} />,
  },
]

function Name({ report: { reportId, reportName, blocks } }: { report: ReportEntry }) {
  const ids = useProjectIds()
  return (
    <span className="min-w-0">
      <Link
        to="/$orgId/project/$projectId/insights/report-builder/$reportId"
        params={{ ...ids, reportId }}
        className="touch-area wrap-anywhere"
      >
        {reportName}
      </Link>
      <span className="block text-sm text-ink-muted">{count(blocks, 'block')}</span>
    </span>
  )
}

function Changed({ report: { updatedAt, updatedBy } }: { report: ReportEntry }) {
  const zone = useProjectZone()
  const now = useNow()
  return (
    <span>
      <span className="tnum">{agoOf(updatedAt, now, zone)}</span>
      <span className="block text-sm text-ink-muted">{updatedBy ?? 'Someone who left'}</span>
    </span>
  )
}

function Next({ schedules }: Pick<ReportEntry, 'schedules'>) {
  const next = nextSending(schedules)
  if (!next) return <span className="text-ink-muted">–</span>
  return next.paused ? (
    <Badge tone="wait">Paused</Badge>
  ) : (
    <span>
      <span className="tnum">{next.text}</span>
      <span className="block text-sm text-ink-muted">
        <ZoneNote zone={next.zone} at={next.at} />
        {schedules.length > 1 ? ` · ${count(schedules.length, 'schedule')}` : null}
      </span>
    </span>
  )
}
