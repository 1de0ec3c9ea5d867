import { askReportRecipient, type ReportSchedule } from '#contract/reports/schedules.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { toast } from '#web/ui/toast.ts'
import { recipientStateWords } from './scheduleWords.ts'

type Props = { reportId: string; schedule: ReportSchedule; mayEdit: boolean }

/** Who gets it, and why someone doesn't. */
export function Recipients({ reportId, schedule: { scheduleId, recipients }, mayEdit }: Props) {
  const params = { ...useProjectIds(), reportId, scheduleId }
  const ask = useSend(askReportRecipient, { onSuccess: () => toast.success('Asked again by email') })
  return (
    <ul aria-label="Recipients" className="grid gap-1.5">
      {recipients.map(({ recipientId, userId, name, email, state }) => {
        const { word, tone, means } = recipientStateWords[state]
        return (
          <li key={recipientId} className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {userId === null ? email : name}
            </span>
            {userId === null ? null : <span className="text-sm wrap-anywhere text-ink-muted">{email}</span>}
            <Badge tone={tone}>{word}</Badge>
            {state === 'gets' ? null : <span className="basis-full text-sm text-ink-muted">{means}</span>}
            {state === 'lapsed' && mayEdit ? (
              <Button
                size="s"
                aria-label={`Ask ${email} again`}
                loading={ask.isPending}
                onClick={() => ask.mutate({ params: { ...params, recipientId } })}
              >
                Ask again
              </Button>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
