import Link2 from 'lucide-react/icons/link-2'
import Mail from 'lucide-react/icons/mail'
import { lazy, Suspense, useState } from 'react'
import type { Report } from '#contract/reports/reports.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'

const ShareDialog = lazy(() => import('./share/ShareDialog.tsx'))
const SchedulesDialog = lazy(() => import('./schedules/SchedulesDialog.tsx'))

/** The ways in which a report reaches others: by link, and by email. */
export function ReportSending({ report, unsaved }: { report: Report; unsaved: boolean }) {
  const [open, setOpen] = useState<'share' | 'send'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Button size="s" icon={<Link2 size={14} aria-hidden />} onClick={() => setOpen('share')}>
        Share
      </Button>
      <Button size="s" icon={<Mail size={14} aria-hidden />} onClick={() => setOpen('send')}>
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
