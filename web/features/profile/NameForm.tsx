import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { FirstName, LastName, updateProfile, type User } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'

const Fields = z.object({ firstName: FirstName, lastName: LastName })

export function NameForm({ user }: { user: User }) {
  const form = useForm({
    resolver: zodResolver(Fields),
    mode: 'onTouched',
    defaultValues: { firstName: user.firstName, lastName: user.lastName },
  })
  const { errors, isDirty } = form.formState
  const send = useFormSend(updateProfile, form, {
    onSuccess: () => {
      form.reset(form.getValues())
      toast.success('Profile updated successfully')
    },
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((body) => send.mutate({ body }))(event)}
      className="grid max-w-120 gap-4"
    >
      <FormError errors={errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" error={errors.firstName?.message}>
          <TextInput {...form.register('firstName')} autoComplete="given-name" />
        </Field>
        <Field label="Last name" error={errors.lastName?.message}>
          <TextInput {...form.register('lastName')} autoComplete="family-name" />
        </Field>
      </div>
      <Button type="submit" disabled={!isDirty} loading={send.isPending} className="justify-self-start">
        Update profile
      </Button>
    </form>
  )
}
