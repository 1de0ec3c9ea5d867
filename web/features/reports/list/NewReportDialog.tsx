import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { postFilters } from '#contract/postLists.ts'
import { createReport } from '#contract/reports/reports.ts'
import { reportTemplates, templateWords } from '#contract/reports/templates.ts'
import { allChannels } from '#contract/channels.ts'
import { channelNames } from '#contract/channelNames.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

/** A new report: its name, and what it begins with. */
export default function NewReportDialog({
  onCreated,
  onClose,
}: {
  onCreated: (reportId: string) => void
  onClose: () => void
}) {
  const ids = useProjectIds()
  const { campaigns = [] } = useCall(postFilters, { params: ids }, { handles: true }).data ?? {}
  const { channels = [] } = useCall(allChannels, { params: ids }, { handles: true }).data ?? {}
  const names = channelNames(channels)
  const form = useForm({
    resolver: zodResolver(createReport.body),
    defaultValues: { reportName: '', template: 'month', campaignId: null, channelId: null },
  })
  const { errors } = form.formState
  const template = useWatch({ control: form.control, name: 'template' })
  const create = useFormSend(createReport, form, {
    handles: ['REPORTS_FULL', 'NOT_FOUND'],
    onSuccess: ({ reportId }) => onCreated(reportId),
  })
  const offered = reportTemplates.filter(
    (one) => (one !== 'campaign' || campaigns.length > 0) && (one !== 'channel' || channels.length > 0),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="New report"
      size="m"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="new-report" tone="primary" loading={create.isPending}>
            Create report
          </Button>
        </>
      }
    >
      <form
        id="new-report"
        noValidate
        onSubmit={(event) => void form.handleSubmit((body) => create.mutate({ params: ids, body }))(event)}
        className="grid gap-4"
      >
        <FormError errors={errors} />
        <Field label="Name" error={errors.reportName?.message}>
          <TextInput {...form.register('reportName')} autoComplete="off" placeholder="Monthly report" />
        </Field>
        <Controller
          control={form.control}
          name="template"
          render={({ field }) => (
            <RadioGroup
              label="Start with"
              value={field.value}
              onChange={(next) => {
                field.onChange(next)
                form.setValue('campaignId', next === 'campaign' ? (campaigns[0]?.campaignId ?? null) : null)
                form.setValue('channelId', next === 'channel' ? (channels[0]?.channelId ?? null) : null)
              }}
              choices={offered.map((value) => ({
                value,
                label: templateWords[value].name,
                hint: templateWords[value].about,
              }))}
            />
          )}
        />
        {template === 'campaign' ? (
          <Field label="Campaign" error={errors.campaignId?.message}>
            <Select
              {...form.register('campaignId')}
              options={campaigns.map(({ campaignId, name }) => ({ value: campaignId, label: name }))}
            />
          </Field>
        ) : null}
        {template === 'channel' ? (
          <Field label="Channel" error={errors.channelId?.message}>
            <Select
              {...form.register('channelId')}
              options={channels.map(({ channelId, channelName }) => ({
                value: channelId,
                label: names.get(channelId) ?? channelName,
              }))}
            />
          </Field>
        ) : null}
      </form>
    </Dialog>
  )
}
