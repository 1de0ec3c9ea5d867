import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { confirmPassword, ResetPasswordForm as Fields } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { toast } from '#web/ui/toast.ts'
import { PasswordFields } from './PasswordFields.tsx'

/** Sets a new password with the emailed link. */
export function ResetPasswordForm({ token, onDone }: { token: string; onDone: () => void }) {
  const form = useForm({
    resolver: zodResolver(Fields),
    mode: 'onTouched',
    defaultValues: { password: '', confirmPassword: '' },
  })
  const { errors } = form.formState
  const typed = useWatch({ control: form.control, name: 'password' })
  const send = useFormSend(confirmPassword, form, {
    handles: ['RESET_LINK_INVALID', 'RATE_LIMITED'],
    onSuccess: () => {
      toast.success('Your password has been reset successfully')
      onDone()
    },
  })
  const submit = form.handleSubmit(({ password }) => send.mutate({ body: { token, password } }))

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <FormError
        errors={errors}
        actions={
          errors.root?.['server']?.type === 'RESET_LINK_INVALID' ? (
            <ButtonLink to="/forgot-password">Request a new link</ButtonLink>
          ) : null
        }
      />
      <PasswordFields
        label="New password"
        confirmLabel="Confirm new password"
        typed={typed}
        password={form.register('password')}
        confirmation={form.register('confirmPassword')}
        errors={errors}
      />
      <Button type="submit" tone="primary" size="l" loading={send.isPending}>
        Set new password
      </Button>
    </form>
  )
}
