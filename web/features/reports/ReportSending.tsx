import Link2 from 'lucide-react/icons/link-2'
import Mail from 'lucide-react/icons/mail'
import { lazy, Suspense } from 'react'
import type { Report } from '#contract/reports/reports.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'

const ShareDialog = lazy(() => import('./share/ShareDialog.tsx'))
const SchedulesDialog = lazy(() => import('./schedules/SchedulesDialog.tsx'))

type SendingDialog = 'share' | 'schedules'
type Props = {
  report: Report
  unsaved: boolean
  /** Which dialog is open: the address has it. */ open: SendingDialog | undefined
  onOpen: (open: SendingDialog | undefined) => void
}

/** The ways in which a report reaches others: by link, and by email. */
export function ReportSending({ report, unsaved, open, onOpen }: Props) {
  const close = () => onOpen(undefined)
  return (
    <>
      <Button size="s" icon={<Link2 size={14} aria-hidden />} onClick={() => onOpen('share')}>
        Share
      </Button>
      <Button size="s" icon={<Mail size={14} aria-hidden />} onClick={() => onOpen('schedules')}>
        Schedule
      </Button>
      {open === undefined ? null : (
        <Contained>
          <Suspense fallback={null}>
            {open === 'share' ? (
              <ShareDialog report={report} unsaved={unsaved} onClose={close} />
            ) : (
              <SchedulesDialog report={report} unsaved={unsaved} onClose={close} />
            )}
          </Suspense>
        </Contained>
      )}
    </>
  )
}
