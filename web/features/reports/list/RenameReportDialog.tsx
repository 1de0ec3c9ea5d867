import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { getReport, ReportName, saveReport } from '#contract/reports/reports.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useFresh } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

const Name = z.object({ reportName: ReportName })

/** Another name for a report that isn't open. What else it has is read first, and stays. */
export default function RenameReportDialog({
  report: { reportId, reportName },
  onClose,
}: {
  report: { reportId: string; reportName: string }
  onClose: () => void
}) {
  const ids = useProjectIds()
  const params = { ...ids, reportId }
  const stored = useFresh(getReport, { params })
  const form = useForm({ resolver: zodResolver(Name), defaultValues: { reportName } })
  const { errors } = form.formState
  const save = useFormSend(saveReport, form, {
    handles: ['STALE_VERSION', 'NOT_FOUND'],
    onSuccess: () => {
      toast.success('Report renamed')
      onClose()
    },
  })
  const submit = form.handleSubmit((body) => {
    if (!stored.data) return
    const { content, version } = stored.data
    save.mutate({ params, body: { ...body, content, version } })
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Rename report"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="rename-report"
            tone="primary"
            loading={save.isPending || (stored.data === undefined && stored.error === null)}
          >
            Rename
          </Button>
        </>
      }
    >
      <form id="rename-report" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Name" error={errors.reportName?.message ?? stored.error?.detail}>
          <TextInput {...form.register('reportName')} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  )
}
