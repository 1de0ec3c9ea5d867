import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import Lock from 'lucide-react/icons/lock'
import { useRef } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { signUp, SignUpForm } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import type { LoginSearch } from '#web/lib/redirect.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { Link, OutsideLink } from '#web/ui/Link.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { HumanCheck, type HumanCheckHandle } from './HumanCheck.tsx'
import { PasswordFields } from './PasswordFields.tsx'

type Props = {
  email?: string | undefined
  /** An open invitation to `email`: the account is for that address alone. */
  inviteId?: string | undefined
  /** Where people with an account go. */
  loginSearch: LoginSearch
  /** The button stays busy until this ends: the account exists, and a second press would be refused. */
  onDone: () => Promise<void>
}

/** Sign-up. `onDone` follows once the account exists and its session is open. */
export function SignupForm({ email = '', inviteId, loginSearch, onDone }: Props) {
  const queries = useQueryClient()
  const human = useRef<HumanCheckHandle>(null)
  const form = useForm({
    resolver: zodResolver(SignUpForm),
    mode: 'onTouched',
    defaultValues: { firstName: '', lastName: '', email, password: '', confirmPassword: '' },
  })
  const { errors, isSubmitting } = form.formState
  const typed = useWatch({ control: form.control, name: 'password' })
  const send = useFormSend(signUp, form, {
    handles: ['USER_EXISTS', 'HUMAN_CHECK_FAILED', 'RATE_LIMITED'],
    onFailure: () => human.current?.reset(),
    onSuccess: () => {
      queries.clear()
      return onDone()
    },
  })
  const submit = async ({ firstName, lastName, email: address, password }: z.infer<typeof SignUpForm>) => {
    const token = await human.current?.prove()
    if (!token) return // logged and reported by the check; nothing is sent
    send.mutate({ body: { firstName, lastName, email: address, password, token, ...(inviteId ? { inviteId } : {}) } })
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)} className="grid gap-4">
      <FormError errors={errors}>
        {errors.root?.['server']?.type === 'USER_EXISTS' ? (
          <Link to="/login" search={loginSearch}>
            Log in
          </Link>
        ) : null}
      </FormError>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" error={errors.firstName?.message}>
          <TextInput {...form.register('firstName')} size="l" autoComplete="given-name" />
        </Field>
        <Field label="Last name" error={errors.lastName?.message}>
          <TextInput {...form.register('lastName')} size="l" autoComplete="family-name" />
        </Field>
      </div>
      <Field
        label="Email"
        error={errors.email?.message}
        hint={inviteId ? 'Your invitation was sent to this address.' : undefined}
      >
        <TextInput
          {...form.register('email')}
          readOnly={inviteId !== undefined}
          end={inviteId ? <Lock size={14} aria-hidden className="mr-2 text-ink-muted" /> : undefined}
          size="l"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <PasswordFields
        typed={typed}
        password={form.register('password')}
        confirmation={form.register('confirmPassword')}
        errors={errors}
      />
      <HumanCheck ref={human} />
      <Button type="submit" tone="primary" size="l" loading={isSubmitting || send.isPending}>
        Signup
      </Button>
      <p className="text-sm text-pretty text-ink-muted">
        By signing up, you agree to the{' '}
        <OutsideLink href="/legal/terms-and-conditions">Terms and Conditions</OutsideLink> and the{' '}
        <OutsideLink href="/legal/privacy-policy">Privacy Policy</OutsideLink>.
      </p>
    </form>
  )
}
