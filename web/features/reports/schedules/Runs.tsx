import FileDown from 'lucide-react/icons/file-down'
import { useState } from 'react'
import { FIRST_PAGE } from '#contract/constants.ts'
import { spanText } from '#contract/days.ts'
import { listReportRuns, reportRunFile, sendReportMail, type ReportRun } from '#contract/reports/schedules.ts'
import { addressOf } from '#web/lib/client.ts'
import { useDownload } from '#web/lib/download.ts'
import { bytes, count, dayAndTimeOf } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall, useSend } from '#web/lib/queries.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import { canBeSentAgain, mailReasonText, mailStateWords, runReasonText, runStateWords } from './scheduleWords.ts'

type Props = { reportId: string; scheduleId: string; mayEdit: boolean }

/** What a schedule sent, the latest first: its files, and whether each mail arrived. */
export function Runs({ reportId, scheduleId, mayEdit }: Props) {
  const params = { ...useProjectIds(), reportId, scheduleId }
  const [page, setPage] = useState(FIRST_PAGE)
  const found = useCall(listReportRuns, { params, query: { page } }, { handles: true, keepPrevious: true })
  return (
    <Loaded
      query={found}
      skeleton={<SkeletonLines lines={3} />}
      isEmpty={({ runs }) => runs.length === 0}
      empty={<p className="text-sm text-ink-muted">Nothing was sent yet.</p>}
    >
      {({ runs, pagination }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <ol aria-label="What was sent" className="divide-y divide-line border-t border-line">
            {runs.map((run) => (
              <Run key={run.runId} run={run} params={params} mayEdit={mayEdit} />
            ))}
          </ol>
          <Pagination page={page} totalPages={pagination.totalPages} onPage={setPage} loading={found.isFetching} />
        </div>
      )}
    </Loaded>
  )
}

type RunProps = {
  run: ReportRun
  params: { orgId: string; projectId: string; reportId: string; scheduleId: string }
  mayEdit: boolean
}

function Run({ run, params, mayEdit }: RunProps) {
  const zone = useProjectZone()
  const { word, tone } = runStateWords[run.state]
  const download = useDownload()
  return (
    <li className="grid gap-1.5 py-2.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="tnum font-semibold">{dayAndTimeOf(run.dueAt, zone)}</span>
        <ZoneNote zone={zone} at={new Date(run.dueAt)} />
        <Badge tone={tone}>{word}</Badge>
        {run.asked ? <span className="text-sm text-ink-muted">Sent by hand</span> : null}
      </div>
      <p className="tnum text-sm text-ink-muted">{spanText(run)}</p>
      {run.reason ? <p className="text-sm text-pretty">{runReasonText[run.reason]}</p> : null}
      {run.state === 'waiting' && run.waitsUntil ? (
        <p className="text-sm text-pretty text-ink-muted">
          It waits for final figures, at most until {dayAndTimeOf(run.waitsUntil, zone)}.
        </p>
      ) : null}
      {run.notFinal.length > 0 ? (
        <p className="text-sm text-pretty text-ink-muted">
          Not final yet: {new Intl.ListFormat('en').format(run.notFinal)}. The report says so.
        </p>
      ) : null}
      {run.files.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {run.files.map(({ fileId, bytes: size, pages }) => (
            <Button
              key={fileId}
              size="s"
              icon={<FileDown size={13} aria-hidden />}
              loading={download.isPending}
              onClick={() =>
                download.mutate({
                  address: addressOf(reportRunFile, { params: { ...params, fileId } }),
                  name: `report-${run.to}.pdf`,
                })
              }
            >
              PDF, {count(pages, 'page')}, {bytes(size)}
            </Button>
          ))}
        </div>
      ) : null}
      <Mails run={run} params={params} mayEdit={mayEdit} />
    </li>
  )
}

function Mails({ run: { mails }, params, mayEdit }: RunProps) {
  const send = useSend(sendReportMail, { onSuccess: () => toast.success('The email is sent again') })
  if (mails.length === 0) return null
  return (
    <ul aria-label="Emails" className="grid gap-1">
      {mails.map(({ mailId, email, state, reason }) => {
        const { word, tone } = mailStateWords[state]
        return (
          <li key={mailId} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {email}
            </span>
            <Badge tone={tone}>{word}</Badge>
            {reason ? (
              <span dir="auto" className="min-w-0 text-ink-muted wrap-anywhere">
                {mailReasonText[reason]}
              </span>
            ) : null}
            {mayEdit && canBeSentAgain(state) ? (
              <Button
                size="s"
                aria-label={`Send again to ${email}`}
                loading={send.isPending}
                onClick={() => send.mutate({ params: { ...params, mailId } })}
              >
                Send again
              </Button>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
