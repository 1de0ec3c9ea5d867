import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { saveView, type SavedView } from '#contract/views.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

const Fields = z.object({ name: z.string().trim().min(1, 'A name is required').max(50, 'This name is too long') })

type Props = { page: SavedView['page']; /** The search part of a URL. */ search: string; onClose: () => void }

/** Gives the current filters a name. */
export default function SaveViewDialog({ page, search, onClose }: Props) {
  const ids = useProjectIds()
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { name: '' } })
  const { errors } = form.formState
  const send = useFormSend(saveView, form, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'View saved')
      onClose()
    },
  })
  const submit = form.handleSubmit(({ name }) => send.mutate({ params: ids, body: { name, page, search } }))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Save this view"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="view" tone="primary" loading={send.isPending}>
            Save view
          </Button>
        </>
      }
    >
      <form id="view" noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Name" error={errors.name?.message} hint="Replaces a view with the same name.">
          <TextInput {...form.register('name')} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  )
}
