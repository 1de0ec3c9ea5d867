import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { AnyPassword, Email, login } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { HumanCheck, type HumanCheckHandle } from './HumanCheck.tsx'

const LoginFields = z.object({ email: Email, password: AnyPassword })

/** Login. The human check appears only when the server asks for it, after too many wrong attempts. */
export function LoginForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const human = useRef<HumanCheckHandle>(null)
  const [checked, setChecked] = useState(false)
  const form = useForm({ resolver: zodResolver(LoginFields), defaultValues: { email: '', password: '' } })
  const { errors, isSubmitting } = form.formState
  const send = useFormSend(login, form, {
    handles: ['LOGIN_FAILED', 'HUMAN_CHECK_REQUIRED', 'HUMAN_CHECK_FAILED', 'RATE_LIMITED'],
    onFailure: (failure) => {
      human.current?.reset()
      if (failure.code === 'HUMAN_CHECK_REQUIRED') setChecked(true)
      if (failure.code === 'LOGIN_FAILED') form.setFocus('password', { shouldSelect: true })
    },
    onSuccess: () => {
      // whatever an earlier session left behind belongs to somebody else
      queries.clear()
      toast.success('Login Successful')
      onDone()
    },
  })
  const submit = async (body: z.infer<typeof LoginFields>) => {
    if (!checked) return send.mutate({ body })
    const token = await human.current?.prove()
    if (token) send.mutate({ body: { ...body, token } })
  }
  const email = useWatch({ control: form.control, name: 'email' }).trim()

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4">
      <FormError errors={errors} />
      <Field label="Email" error={errors.email?.message}>
        <TextInput {...form.register('email')} size="l" type="email" inputMode="email" autoComplete="username" autoCapitalize="none" spellCheck={false} />
      </Field>
      <Field
        label="Password"
        error={errors.password?.message}
        aside={
          <Link to="/forgot-password" search={email ? { email } : {}}>
            Forgot password?
          </Link>
        }
      >
        <PasswordInput {...form.register('password')} size="l" autoComplete="current-password" />
      </Field>
      {checked ? <HumanCheck ref={human} /> : null}
      <Button type="submit" tone="primary" size="l" loading={isSubmitting || send.isPending}>
        Log in
      </Button>
    </form>
  )
}
