import {
  deleteReportSchedule,
  pauseReportSchedule,
  runReportSchedule,
  takeReportSchedule,
} from '#contract/reports/schedules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'

/** What can be done with a schedule, each with its message. */
export function useScheduleActions({ reportId, scheduleId }: { reportId: string; scheduleId: string }) {
  const params = { ...useProjectIds(), reportId, scheduleId }
  const pause = useSend(pauseReportSchedule, {
    onSuccess: (_, { body: { paused } }) => toast.success(paused ? 'Schedule paused' : 'Schedule resumed'),
  })
  const take = useSend(takeReportSchedule, { onSuccess: () => toast.success('You own this schedule now') })
  const run = useSend(runReportSchedule, {
    onSuccess: ({ message }) => toast.success(message ?? 'The report is on its way'),
  })
  const remove = useSend(deleteReportSchedule, { onSuccess: () => toast.success('Schedule deleted') })
  return {
    pause: (paused: boolean) => pause.mutate({ params, body: { paused } }),
    take: () => take.mutate({ params }),
    run: () => run.mutate({ params }),
    remove: () => remove.mutate({ params }),
    isBusy: pause.isPending || take.isPending,
    isRunning: run.isPending,
    isRemoving: remove.isPending,
  }
}
