import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { editChannel, type Channel } from '#contract/channels.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'

const LATENESS = 'Enter a number from 5 to 1440'
const Fields = z.object({
  channelName: z.string().trim().min(1, 'Enter a name').max(100, 'Use at most 100 characters'),
  zone: z.string(),
  latenessMinutes: z.int(LATENESS).min(5, LATENESS).max(1440, LATENESS),
})

type Props = { ids: ProjectIds; channel: Channel; onClose: () => void }

/** A channel's name, zone and lateness limit; none of it is sent to the platform. */
export function EditChannelDialog({ ids, channel, onClose }: Props) {
  const formId = useId()
  const [now] = useState(() => new Date())
  const form = useForm({
    resolver: zodResolver(Fields),
    defaultValues: { channelName: channel.channelName, zone: channel.zone, latenessMinutes: channel.latenessMinutes },
  })
  const { errors, isDirty } = form.formState
  const send = useFormSend(editChannel, form, {
    handles: ['NOT_FOUND', 'CHANNEL_DELETING'],
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Channel updated successfully')
      onClose()
    },
  })
  const save = form.handleSubmit((body) => send.mutate({ params: { ...ids, channelId: channel.channelId }, body }))

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Edit channel"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} tone="primary" disabled={!isDirty} loading={send.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Name" error={errors.channelName?.message} hint="Only shown in Rookery.">
          <TextInput {...form.register('channelName')} size="l" autoComplete="off" />
        </Field>
        <Field
          label="Time zone"
          error={errors.zone?.message}
          hint="Used for new posts in this channel. Posts that are already scheduled keep their time."
        >
          <Controller
            control={form.control}
            name="zone"
            render={({ field }) => <ZonePicker value={field.value} onChange={field.onChange} at={now} />}
          />
        </Field>
        <Field
          label="Lateness limit, in minutes"
          error={errors.latenessMinutes?.message}
          hint="If a post is later than this, we won't publish it until someone decides what to do."
        >
          <TextInput
            {...form.register('latenessMinutes', { valueAsNumber: true })}
            size="l"
            type="number"
            inputMode="numeric"
            min={5}
            max={1440}
            className="max-w-32"
          />
        </Field>
      </form>
    </Dialog>
  )
}
