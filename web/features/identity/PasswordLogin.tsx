import { zodResolver } from '@hookform/resolvers/zod'
import KeyRound from 'lucide-react/icons/key-round'
import { useEffect, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { AnyPassword, Email, login } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Link } from '#web/ui/Link.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { HumanCheck, type HumanCheckHandle } from './HumanCheck.tsx'
import { knowsPasskeys, usePasskeyLogin } from './passkeys.ts'

const Credentials = z.object({ email: Email, password: AnyPassword })
export type Credentials = z.infer<typeof Credentials>

type Props = {
  /** What was typed before leaving a second step. */
  typed: Credentials
  /** Why the person is here again. */
  reason?: string | undefined
  onDone: () => void
  onSecondFactor: (challenge: string, typed: Credentials) => void
}

/**
 * Email and password, or a passkey. The human check only appears when the server requires it, after too many wrong
 * attempts.
 */
export function PasswordLogin({ typed, reason, onDone, onSecondFactor }: Props) {
  const human = useRef<HumanCheckHandle>(null)
  const [checked, setChecked] = useState(false)
  const passkey = usePasskeyLogin(onDone)
  const form = useForm({ resolver: zodResolver(Credentials), defaultValues: typed })
  const { errors, isSubmitting } = form.formState
  const send = useFormSend(login, form, {
    handles: ['LOGIN_FAILED', 'SECOND_FACTOR_REQUIRED', 'HUMAN_CHECK_REQUIRED', 'HUMAN_CHECK_FAILED', 'RATE_LIMITED'],
    onFailure: (failure) => {
      human.current?.reset()
      const challenge = failure.meta['challenge']
      if (failure.code === 'SECOND_FACTOR_REQUIRED' && typeof challenge === 'string')
        onSecondFactor(challenge, form.getValues())
      if (failure.code === 'HUMAN_CHECK_REQUIRED') setChecked(true)
      if (failure.code === 'LOGIN_FAILED') form.setFocus('password', { shouldSelect: true })
    },
    onSuccess: onDone,
  })
  const submit = async (body: Credentials) => {
    if (!checked) return send.mutate({ body })
    const token = await human.current?.prove()
    if (token) send.mutate({ body: { ...body, token } })
  }
  const email = useWatch({ control: form.control, name: 'email' }).trim()
  const { setFocus } = form
  useEffect(() => {
    // back from the second step: the password is next
    if (typed.email) setFocus('password')
  }, [setFocus, typed.email])
  const told = passkey.problem ?? (errors.root ? undefined : reason)

  return (
    <div className="grid gap-4">
      {told ? <Banner tone="wait" live title={told} /> : null}
      <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field label="Email" error={errors.email?.message}>
          <TextInput
            {...form.register('email')}
            size="l"
            type="email"
            inputMode="email"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
          />
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
      {knowsPasskeys() ? (
        <Button size="l" icon={<KeyRound size={15} aria-hidden />} loading={passkey.asking} onClick={passkey.ask}>
          Log in with a passkey
        </Button>
      ) : null}
    </div>
  )
}
