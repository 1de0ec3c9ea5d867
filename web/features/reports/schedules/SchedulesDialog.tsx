import CalendarClock from 'lucide-react/icons/calendar-clock'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { REPORTS } from '#contract/reports/limits.ts'
import type { Report } from '#contract/reports/reports.ts'
import { listReportSchedules, type ReportSchedule } from '#contract/reports/schedules.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { ScheduleCard } from './ScheduleCard.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'

type Props = { report: Report; unsaved: boolean; onClose: () => void }

/** When the report is sent and to whom, and what was sent. */
export default function SchedulesDialog({ report, unsaved, onClose }: Props) {
  const params = { ...useProjectIds(), reportId: report.reportId }
  const found = useCall(listReportSchedules, { params }, { handles: true })
  const mayEdit = useMay([['insights', 'edit']]) === 'yes'
  const [edited, setEdited] = useState<ReportSchedule | 'new'>()
  const done = () => setEdited(undefined)
  if (edited !== undefined && mayEdit)
    return (
      <ScheduleForm
        reportId={report.reportId}
        schedule={edited === 'new' ? undefined : edited}
        onDone={done}
        onClose={onClose}
      />
    )
  const schedules = found.data?.schedules ?? []
  const add = (
    <Button icon={<Plus size={15} aria-hidden />} onClick={() => setEdited('new')}>
      New schedule
    </Button>
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="l"
      title="Send by email"
      description="The report is sent as a PDF at a time that you choose. Members get what their own role may see, others what the schedule's owner may see."
      footer={
        <>
          {mayEdit && schedules.length > 0 && schedules.length < REPORTS.schedules ? (
            <span className="mr-auto">{add}</span>
          ) : null}
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {unsaved ? (
          <p className="text-sm text-wait">The report is sent as it was last saved, without your changes.</p>
        ) : null}
        <Loaded
          query={found}
          skeleton={<SkeletonLines lines={4} />}
          isEmpty={(data) => data.schedules.length === 0}
          empty={
            <EmptyState
              icon={<CalendarClock size={20} />}
              title="Not sent by email yet"
              action={mayEdit ? add : null}
              className="py-6!"
            >
              Have it sent every week or month to your team and your clients.
            </EmptyState>
          }
        >
          {() =>
            schedules.map((schedule) => (
              <ScheduleCard
                key={schedule.scheduleId}
                reportId={report.reportId}
                schedule={schedule}
                mayEdit={mayEdit}
                onEdit={() => setEdited(schedule)}
              />
            ))
          }
        </Loaded>
        {schedules.length >= REPORTS.schedules ? (
          <p className="text-sm text-ink-muted">A report has at most {REPORTS.schedules} schedules.</p>
        ) : null}
      </div>
    </Dialog>
  )
}
