import type { ReactNode } from 'react'
import type { Report } from '#contract/reports/reports.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { editedOf } from './edited.ts'
import { Preview } from './Preview.tsx'
import { usePreview } from './usePreview.ts'
import { useMemo } from 'react'

/** A report for people who may only see it: its pages. */
export function ReportView({ report, why }: { report: Report; /** Why they can't change it. */ why: ReactNode }) {
  const edited = useMemo(() => editedOf(report), [report])
  const preview = usePreview(edited, true)
  return (
    <div className="grid max-w-200 grid-cols-[minmax(0,1fr)] gap-4">
      <Banner tone="info" title="You can view this report">
        {why}
      </Banner>
      <Preview preview={preview} edited={edited} blocked={false} />
    </div>
  )
}
