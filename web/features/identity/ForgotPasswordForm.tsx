import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Email, forgotPassword } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { HumanCheck, type HumanCheckHandle } from './HumanCheck.tsx'

/** Requests the link to set a new password. The response is the same whether the address has an account or not. */
export function ForgotPasswordForm({
  email = '',
  onSent,
}: {
  email?: string | undefined
  onSent: (email: string) => void
}) {
  const human = useRef<HumanCheckHandle>(null)
  const [checked, setChecked] = useState(false)
  const form = useForm({ resolver: zodResolver(z.object({ email: Email })), defaultValues: { email } })
  const { errors, isSubmitting } = form.formState
  const send = useFormSend(forgotPassword, form, {
    handles: ['HUMAN_CHECK_REQUIRED', 'HUMAN_CHECK_FAILED', 'RATE_LIMITED'],
    onFailure: (failure) => {
      human.current?.reset()
      if (failure.code === 'HUMAN_CHECK_REQUIRED') setChecked(true)
    },
    onSuccess: () => {
      toast.success('A password reset link has been sent to your email')
      onSent(form.getValues('email').trim().toLowerCase())
    },
  })
  const submit = async (body: { email: string }) => {
    if (!checked) return send.mutate({ body })
    const token = await human.current?.prove()
    if (token) send.mutate({ body: { ...body, token } })
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field label="Email" error={errors.email?.message}>
        <TextInput
          {...form.register('email')}
          size="l"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      {checked ? <HumanCheck ref={human} /> : null}
      <Button type="submit" tone="primary" size="l" loading={isSubmitting || send.isPending}>
        Send reset link
      </Button>
    </form>
  )
}
