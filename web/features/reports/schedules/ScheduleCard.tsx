import Ellipsis from 'lucide-react/icons/ellipsis'
import Pause from 'lucide-react/icons/pause'
import Pencil from 'lucide-react/icons/pencil'
import Play from 'lucide-react/icons/play'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash-2'
import UserCheck from 'lucide-react/icons/user-check'
import { useState } from 'react'
import type { ReportSchedule } from '#contract/reports/schedules.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { Recipients } from './Recipients.tsx'
import { Runs } from './Runs.tsx'
import { pauseText, shiftText, waitText, whenText } from './scheduleWords.ts'
import { useScheduleActions } from './useScheduleActions.ts'

type Props = { reportId: string; schedule: ReportSchedule; mayEdit: boolean; onEdit: () => void }

/** One schedule: when, to whom, in whose name, and what it sent. */
export function ScheduleCard({ reportId, schedule, mayEdit, onEdit }: Props) {
  const { scheduleId, when, waitDays, paused, owner } = schedule
  const actions = useScheduleActions({ reportId, scheduleId })
  const [isDeleting, setDeleting] = useState(false)
  const [showsRuns, setShowsRuns] = useState(false)
  const title = whenText(when)
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface p-3.5"
    >
      <div className="flex items-start gap-2">
        <div className="grid min-w-0 grow gap-0.5">
          <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
            {title} {paused ? <Badge tone="wait">Paused</Badge> : null}
          </h3>
          <NextDue schedule={schedule} />
          <p className="text-sm text-ink-muted">
            {waitDays === 0
              ? "Doesn't wait for final figures"
              : `Waits ${waitText(waitDays).toLowerCase()} for final figures`}{' '}
            · Sent in {owner.isYou ? 'your' : `${owner.name}'s`} name
          </p>
        </div>
        {mayEdit ? (
          <Menu
            align="end"
            label={`Actions for ${title}`}
            trigger={<IconButton size="s" label={`Actions for ${title}`} icon={<Ellipsis size={16} />} />}
          >
            <MenuItem icon={<Pencil size={15} />} onSelect={onEdit}>
              Edit
            </MenuItem>
            {paused === null ? (
              <MenuItem icon={<Pause size={15} />} onSelect={() => actions.pause(true)}>
                Pause
              </MenuItem>
            ) : null}
            {owner.isYou ? null : (
              <MenuItem icon={<UserCheck size={15} />} onSelect={actions.take}>
                Take over
              </MenuItem>
            )}
            <MenuItem danger icon={<Trash size={15} />} onSelect={() => setDeleting(true)}>
              Delete
            </MenuItem>
          </Menu>
        ) : null}
      </div>
      {paused ? (
        <div className="flex flex-wrap items-center gap-2 rounded-md bg-wait-soft px-3 py-2 text-sm">
          <p className="min-w-0 grow basis-52 text-pretty">{pauseText(paused, owner)}</p>
          {mayEdit && paused === 'person' ? (
            <Button
              size="s"
              icon={<Play size={13} aria-hidden />}
              loading={actions.isBusy}
              onClick={() => actions.pause(false)}
            >
              Resume
            </Button>
          ) : null}
          {mayEdit && paused === 'owner' && !owner.isYou ? (
            <Button size="s" loading={actions.isBusy} onClick={actions.take}>
              Take over
            </Button>
          ) : null}
        </div>
      ) : null}
      <Recipients reportId={reportId} schedule={schedule} mayEdit={mayEdit} />
      <div className="flex flex-wrap gap-2">
        {mayEdit ? (
          <Button
            size="s"
            icon={<Send size={13} aria-hidden />}
            loading={actions.isRunning}
            disabled={paused !== null && paused !== 'person'}
            onClick={actions.run}
          >
            Send now
          </Button>
        ) : null}
        <Button size="s" tone="quiet" aria-expanded={showsRuns} onClick={() => setShowsRuns(!showsRuns)}>
          {showsRuns ? 'Hide what was sent' : 'What was sent'}
        </Button>
      </div>
      {showsRuns ? <Runs reportId={reportId} scheduleId={scheduleId} mayEdit={mayEdit} /> : null}
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Delete this schedule?"
        action="Delete schedule"
        loading={actions.isRemoving}
        onConfirm={actions.remove}
      >
        Nothing is sent by it anymore, and the files that it sent are deleted. The report stays.
      </ConfirmDialog>
    </section>
  )
}

/** The next due time, in the project's zone, and in its own if that's another one. */
function NextDue({ schedule }: { schedule: ReportSchedule }) {
  const { nextDueAt, when, paused } = schedule
  const zone = useProjectZone()
  const at = new Date(nextDueAt)
  const shift = shiftText(schedule)
  return (
    <>
      <p className="tnum text-sm text-ink-muted">
        {paused ? 'Would be next:' : 'Next:'} {dayAndTimeOf(nextDueAt, zone)} <ZoneNote zone={zone} at={at} />
        {when.timezone === zone ? null : (
          <>
            {' '}
            ({dayAndTimeOf(nextDueAt, when.timezone)} <ZoneNote zone={when.timezone} at={at} />)
          </>
        )}
      </p>
      {shift ? <p className="text-sm text-wait">{shift}</p> : null}
    </>
  )
}
