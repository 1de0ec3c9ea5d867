import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { z } from 'zod'
import { createLabel, editLabel, LabelColor, TaxonomyName, type Label } from '#contract/labels.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { ColorPicker } from '#web/ui/ColorPicker.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

const Fields = z.object({ labelName: TaxonomyName, color: LabelColor })
type Props = { ids: ProjectIds; /** Absent for a new one. */ label?: Label | undefined; onDone: () => void }

/** Name and color of a label. */
export function LabelForm({ ids, label, onDone }: Props) {
  const form = useForm({
    resolver: zodResolver(Fields),
    defaultValues: { labelName: label?.labelName ?? '', color: label?.color ?? 'blue' },
  })
  const { errors } = form.formState
  const options = {
    handles: ['NAME_TAKEN'] as const,
    onFailure: () => form.setFocus('labelName', { shouldSelect: true }),
    onSuccess: ({ message }: { message?: string | undefined }) => {
      if (message) toast.success(message)
      onDone()
    },
  }
  const create = useFormSend(createLabel, form, options)
  const edit = useFormSend(editLabel, form, options)
  const submit = form.handleSubmit((body) =>
    label ? edit.mutate({ params: { ...ids, labelId: label.labelId }, body }) : create.mutate({ params: ids, body }),
  )
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field label="Name" error={errors.labelName?.message}>
        <TextInput {...form.register('labelName')} autoComplete="off" maxLength={60} />
      </Field>
      <Controller
        control={form.control}
        name="color"
        render={({ field }) => <ColorPicker value={field.value} onChange={field.onChange} />}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" tone="primary" loading={create.isPending || edit.isPending}>
          {label ? 'Save' : 'Create label'}
        </Button>
      </div>
    </form>
  )
}
