import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { AnyPassword, changePassword, Password, passwordChecks } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checklist } from '#web/ui/Checklist.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { atPassword, passwordRefusals } from './wrongPassword.ts'

const MISMATCH = "Password doesn't match"
const Fields = z
  .object({ oldPassword: AnyPassword, password: Password, confirmPassword: z.string().min(1, MISMATCH) })
  .refine((form) => form.password === form.confirmPassword, { path: ['confirmPassword'], message: MISMATCH })

/** A new password for people who know the current one. Other sessions end. */
export function PasswordForm({ email }: { email: string }) {
  const form = useForm({
    resolver: zodResolver(Fields),
    mode: 'onTouched',
    defaultValues: { oldPassword: '', password: '', confirmPassword: '' },
  })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: 'password' })
  const send = useFormSend(changePassword, form, {
    handles: passwordRefusals,
    onFailure: atPassword(form, 'oldPassword'),
    onSuccess: () => {
      form.reset()
      toast.success('Password updated successfully')
    },
  })
  const submit = form.handleSubmit(({ oldPassword, password }) => send.mutate({ body: { oldPassword, password } }))
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid max-w-88 gap-4">
      <FormError errors={errors} />
      {/* tells password managers whose password it is */}
      <input type="email" name="username" value={email} readOnly autoComplete="username" hidden />
      <Field label="Current password" error={errors.oldPassword?.message}>
        <PasswordInput {...form.register('oldPassword')} autoComplete="current-password" />
      </Field>
      <Field label="New password" error={errors.password?.message}>
        <PasswordInput
          {...form.register('password')}
          autoComplete="new-password"
          checklist={
            <Checklist
              label="Password requirements"
              items={passwordChecks.map((check) => ({ text: check.label, met: check.test(typed) }))}
            />
          }
        />
      </Field>
      <Field label="Confirm new password" error={errors.confirmPassword?.message}>
        <PasswordInput {...form.register('confirmPassword')} autoComplete="new-password" />
      </Field>
      <Button type="submit" loading={send.isPending} className="justify-self-start">
        Update password
      </Button>
    </form>
  )
}
