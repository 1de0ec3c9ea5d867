import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { REPORTS } from '#contract/reports/limits.ts'
import {
  createReportSchedule,
  ScheduleBody,
  updateReportSchedule,
  type ReportSchedule,
} from '#contract/reports/schedules.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TimePicker } from '#web/ui/TimePicker.tsx'
import { toast } from '#web/ui/toast.ts'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'
import { RecipientsField } from './RecipientsField.tsx'
import { monthDayOptions, waitText, weekdayOptions } from './scheduleWords.ts'

type Props = {
  reportId: string
  /** Absent for a new one. */ schedule: ReportSchedule | undefined
  onDone: () => void
  onClose: () => void
}

const frequencies = [
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
] as const
const waits = Array.from({ length: REPORTS.waitDays + 1 }, (_, days) => ({
  value: String(days),
  label: waitText(days),
}))

/** When a report is sent, and to whom. */
export function ScheduleForm({ reportId, schedule, onDone, onClose }: Props) {
  const params = { ...useProjectIds(), reportId }
  const zone = useProjectZone()
  const now = useNow()
  const form = useForm<ScheduleBody>({
    resolver: zodResolver(ScheduleBody),
    defaultValues: {
      when: schedule?.when ?? { frequency: 'monthly', day: 1, time: '09:00', timezone: zone },
      waitDays: schedule?.waitDays ?? 3,
      userIds: schedule?.recipients.flatMap(({ userId }) => userId ?? []) ?? [],
      emails: schedule?.recipients.flatMap(({ userId, email }) => (userId === null ? [email] : [])) ?? [],
    },
  })
  const { errors } = form.formState
  const frequency = useWatch({ control: form.control, name: 'when.frequency' })
  const waitDays = useWatch({ control: form.control, name: 'waitDays' })
  const done = (words: string) => ({
    handles: ['LIMIT_EXCEEDED', 'STALE_VERSION'] as const,
    onSuccess: ({ message }: { message?: string | undefined }) => {
      toast.success(message ?? words)
      onDone()
    },
  })
  const create = useFormSend(createReportSchedule, form, done('Schedule created'))
  const update = useFormSend(updateReportSchedule, form, done('Schedule saved'))
  const submit = form.handleSubmit((body) =>
    schedule
      ? update.mutate({
          params: { ...params, scheduleId: schedule.scheduleId },
          body: { ...body, version: schedule.version },
        })
      : create.mutate({ params, body }),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="l"
      title={schedule ? 'Edit schedule' : 'New schedule'}
      footer={
        <>
          <Button onClick={onDone}>Back</Button>
          <Button type="submit" form="report-schedule" tone="primary" loading={create.isPending || update.isPending}>
            {schedule ? 'Save schedule' : 'Create schedule'}
          </Button>
        </>
      }
    >
      <form id="report-schedule" noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        <FormError errors={errors} />
        <div className="grid gap-4 sm:grid-cols-2">
          <div className="grid content-start justify-items-start gap-1.5">
            <span className="text-sm font-semibold">How often</span>
            <Controller
              control={form.control}
              name="when.frequency"
              render={({ field }) => (
                <Segmented
                  label="How often"
                  options={frequencies}
                  value={field.value}
                  onChange={(next) => {
                    field.onChange(next)
                    form.setValue('when.day', 1)
                  }}
                />
              )}
            />
          </div>
          <Field label="Day" error={errors.when?.day?.message}>
            <Select
              {...form.register('when.day', { valueAsNumber: true })}
              options={frequency === 'weekly' ? weekdayOptions : monthDayOptions}
            />
          </Field>
          <Controller
            control={form.control}
            name="when.time"
            render={({ field }) => (
              <div className="grid content-start gap-1.5">
                <span className="text-sm font-semibold">Time</span>
                <TimePicker label="Time" value={field.value} onChange={field.onChange} />
              </div>
            )}
          />
          <Controller
            control={form.control}
            name="when.timezone"
            render={({ field }) => (
              <Field label="Time zone" error={errors.when?.timezone?.message}>
                <ZonePicker value={field.value} onChange={field.onChange} at={now} />
              </Field>
            )}
          />
        </div>
        <Field
          label="Wait for final figures"
          error={errors.waitDays?.message}
          hint={
            waitDays === 0
              ? "It's sent on time. Figures that platforms may still correct are marked as not final."
              : "Platforms correct the figures of the last days for a while. The report waits until they're final, but not longer than this. Then it's sent and says which figures aren't final."
          }
        >
          <Select {...form.register('waitDays', { valueAsNumber: true })} options={waits} className="sm:max-w-60" />
        </Field>
        <RecipientsField form={form} known={schedule?.recipients ?? []} />
      </form>
    </Dialog>
  )
}
