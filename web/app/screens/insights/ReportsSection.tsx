import { useNavigate } from '@tanstack/react-router'
import { ReportList } from '#web/features/reports/list/ReportList.tsx'
import { useProjectIds } from '#web/lib/project.ts'

/** The reports that people send to clients. */
export default function ReportsSection() {
  const ids = useProjectIds()
  const navigate = useNavigate()
  return (
    <ReportList
      onOpen={(reportId) =>
        void navigate({
          to: '/$orgId/project/$projectId/insights/report-builder/$reportId',
          params: { ...ids, reportId },
        })
      }
    />
  )
}
