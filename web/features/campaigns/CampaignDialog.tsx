import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { createCampaign, editCampaign, type Campaign } from '#contract/campaigns.ts'
import { LabelColor, TaxonomyName } from '#contract/labels.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { ColorPicker } from '#web/ui/ColorPicker.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import X from 'lucide-react/icons/x'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

const DESCRIPTION = 500
const Fields = z
  .object({
    name: TaxonomyName,
    description: z.string().trim().max(DESCRIPTION, 'This description is too long'),
    color: LabelColor,
    startsOn: z.string().nullable(),
    endsOn: z.string().nullable(),
  })
  .refine(({ startsOn, endsOn }) => startsOn === null || endsOn === null || startsOn <= endsOn, {
    path: ['endsOn'],
    message: 'The end date is before the start date',
  })

type Props = {
  /** Absent for a new one. */ campaign?: Campaign | undefined
  onClose: () => void
  onCreated?: (campaignId: string) => void
}

/** Creates a campaign, or changes its name and dates. */
export function CampaignDialog({ campaign, onClose, onCreated }: Props) {
  const ids = useProjectIds()
  const form = useForm({
    resolver: zodResolver(Fields),
    defaultValues: {
      name: campaign?.name ?? '',
      description: campaign?.description ?? '',
      color: campaign?.color ?? 'blue',
      startsOn: campaign?.startsOn ?? null,
      endsOn: campaign?.endsOn ?? null,
    },
  })
  const { errors } = form.formState
  const written = useWatch({ control: form.control, name: 'description' }).length
  const options = { handles: ['NAME_TAKEN'] } as const
  const create = useFormSend(createCampaign, form, {
    ...options,
    onSuccess: ({ message, campaignId }) => {
      toast.success(message ?? 'Campaign created successfully')
      onClose()
      onCreated?.(campaignId)
    },
  })
  const edit = useFormSend(editCampaign, form, {
    ...options,
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Campaign updated successfully')
      onClose()
    },
  })
  const submit = form.handleSubmit((body) =>
    campaign
      ? edit.mutate({ params: { ...ids, campaignId: campaign.campaignId }, body })
      : create.mutate({ params: ids, body }),
  )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="m"
      title={campaign ? 'Edit campaign' : 'Create campaign'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="campaign" tone="primary" loading={create.isPending || edit.isPending}>
            {campaign ? 'Save' : 'Create campaign'}
          </Button>
        </>
      }
    >
      <form id="campaign" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Name" error={errors.name?.message}>
          <TextInput {...form.register('name')} autoComplete="off" />
        </Field>
        <Field
          label="Description"
          optional
          error={errors.description?.message}
          aside={<span className="tnum">{`${written} of ${DESCRIPTION}`}</span>}
        >
          <TextArea {...form.register('description')} rows={2} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {(['startsOn', 'endsOn'] as const).map((name) => (
            <Field key={name} label={name === 'startsOn' ? 'Starts' : 'Ends'} optional error={errors[name]?.message}>
              <Controller
                control={form.control}
                name={name}
                render={({ field }) => (
                  <span className="flex items-center gap-1">
                    <DatePicker
                      label={name === 'startsOn' ? 'Starts' : 'Ends'}
                      value={field.value ?? undefined}
                      onChange={field.onChange}
                      className="min-w-0 grow"
                    />
                    {field.value ? (
                      <IconButton
                        label={name === 'startsOn' ? 'No first day' : 'No last day'}
                        icon={<X size={14} />}
                        onClick={() => field.onChange(null)}
                      />
                    ) : null}
                  </span>
                )}
              />
            </Field>
          ))}
        </div>
        <Controller
          control={form.control}
          name="color"
          render={({ field }) => <ColorPicker value={field.value} onChange={field.onChange} />}
        />
      </form>
    </Dialog>
  )
}
