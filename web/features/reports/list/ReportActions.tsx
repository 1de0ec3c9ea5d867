import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash from 'lucide-react/icons/trash-2'
import { lazy, Suspense, useState } from 'react'
import { deleteReport, duplicateReport, type ReportEntry } from '#contract/reports/reports.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { toast } from '#web/ui/toast.ts'
import { deletionText } from './deletionText.ts'

const RenameReportDialog = lazy(() => import('./RenameReportDialog.tsx'))

/** What can be done with a report of the list. Nothing for people who only view it. */
export function ReportActions({ report }: { report: ReportEntry }) {
  const ids = useProjectIds()
  const params = { ...ids, reportId: report.reportId }
  const mayCreate = useMay([['insights', 'create']]) === 'yes'
  const mayEdit = useMay([['insights', 'edit']]) === 'yes'
  const mayDelete = useMay([['insights', 'delete']]) === 'yes'
  const [open, setOpen] = useState<'rename' | 'delete'>()
  const close = () => setOpen(undefined)
  const duplicate = useSend(duplicateReport, { onSuccess: () => toast.success('Report duplicated') })
  const remove = useSend(deleteReport, {
    onSuccess: () => {
      close()
      toast.success('Report deleted')
    },
  })
  if (!mayCreate && !mayEdit && !mayDelete) return null
  const label = `Actions for ${report.reportName}`
  return (
    <>
      <Menu align="end" label={label} trigger={<IconButton size="s" label={label} icon={<Ellipsis size={16} />} />}>
        <MenuItem disabled={!mayEdit} icon={<Pencil size={15} />} onSelect={() => setOpen('rename')}>
          Rename
        </MenuItem>
        <MenuItem disabled={!mayCreate} icon={<Copy size={15} />} onSelect={() => duplicate.mutate({ params })}>
          Duplicate
        </MenuItem>
        <MenuItem danger disabled={!mayDelete} icon={<Trash size={15} />} onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'rename' ? (
        <Contained>
          <Suspense fallback={null}>
            <RenameReportDialog report={report} onClose={close} />
          </Suspense>
        </Contained>
      ) : null}
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title="Delete this report?"
        action="Delete report"
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params })}
      >
        {deletionText(report)}
      </ConfirmDialog>
    </>
  )
}
