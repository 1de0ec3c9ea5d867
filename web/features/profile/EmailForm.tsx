import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { AnyPassword, Email, userDetails, type User } from '#contract/identity.ts'
import { changeEmail } from '#contract/profile.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { clockOf, useWait, waitIn } from '#web/lib/wait.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { PendingEmail } from './PendingEmail.tsx'
import { atPassword, passwordRefusals } from './wrongPassword.ts'

/** The account's address: current, being changed, or waiting for the code sent to the new one. */
export function EmailForm({ user }: { user: User }) {
  const [changing, setChanging] = useState(false)
  return (
    <div className="grid max-w-120 gap-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 font-medium break-words">{user.email}</p>
        {user.pendingEmail || changing ? null : <Button onClick={() => setChanging(true)}>Change email</Button>}
      </div>
      {user.pendingEmail ? (
        <PendingEmail key={user.pendingEmail} email={user.pendingEmail} />
      ) : changing ? (
        <NewEmail user={user} onEnd={() => setChanging(false)} />
      ) : null}
    </div>
  )
}

function NewEmail({ user, onEnd }: { user: User; onEnd: () => void }) {
  const Fields = z.object({
    email: Email.refine((email) => email !== user.email, 'This is already your email address'),
    password: AnyPassword,
  })
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { email: '', password: '' } })
  const { errors } = form.formState
  const { setFocus } = form
  useEffect(() => setFocus('email'), [setFocus])
  const wait = useWait()
  const wrongPassword = atPassword(form, 'password')
  const send = useFormSend(changeEmail, form, {
    handles: [...passwordRefusals, 'LIMIT_EXCEEDED'],
    refreshes: [userDetails],
    onFailure: (failure) => {
      wrongPassword(failure)
      wait.begin(waitIn(failure))
    },
    onSuccess: () => {
      toast.success('Verification code sent successfully')
      onEnd()
    },
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((body) => send.mutate({ body }))(event)}
      className="grid gap-4"
    >
      <FormError errors={errors} />
      <Field
        label="New email"
        error={errors.email?.message}
        hint="We'll email a code to this address, and let you know at your current one."
      >
        <TextInput
          {...form.register('email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Field>
      <Field label="Password" error={errors.password?.message} hint="To confirm it's you.">
        <PasswordInput {...form.register('password')} autoComplete="current-password" />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" loading={send.isPending} disabled={wait.left > 0}>
          {wait.left > 0 ? `Send code in ${clockOf(wait.left)}` : 'Send code'}
        </Button>
        <Button tone="quiet" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
