import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CODE } from '#contract/constants.ts'
import { Code, confirmSignUp, getCode, resendCode } from '#contract/identity.ts'
import type { ApiFailure, FailureCode } from '#web/lib/failure.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { VerifyOutcome } from './VerifyOutcome.tsx'

/** Outcomes with a text of their own on the page; a wrong code is shown at its field. */
const outcomes: readonly FailureCode[] = ['EXPIRED_CODE', 'LIMIT_EXCEEDED', 'USER_ALREADY_CONFIRMED', 'INVALID_CODE']

type Props = {
  email: string
  /** Whether a session is open: only then a new code can be asked for in its name. */
  signedIn: boolean
  onDone: () => void
}

/** The 6 digits from the mail, and the ways to get new ones. */
export function VerifyForm({ email, signedIn, onDone }: Props) {
  const [outcome, setOutcome] = useState<ApiFailure>()
  const form = useForm({ resolver: zodResolver(z.object({ code: Code })), defaultValues: { code: '' } })
  const error = form.formState.errors.code?.message

  const show = (failure: ApiFailure) => {
    if (outcomes.includes(failure.code)) return setOutcome(failure)
    const message = failure.code === 'CODE_MISMATCH' ? failure.detail : failure.errors['code']?.[0]
    if (message) form.setError('code', { type: failure.code, message }, { shouldFocus: true })
  }
  const sent = (message: string) => () => {
    setOutcome(undefined)
    form.reset()
    form.setFocus('code')
    toast.success(message)
  }
  const confirm = useSend(confirmSignUp, {
    handles: ['BAD_INPUT', 'CODE_MISMATCH', ...outcomes],
    onError: show,
    onSuccess: ({ message = 'Email verified successfully' }) => {
      // without a session the server asks for a new password, by a mail that its message names
      toast.success(message)
      onDone()
    },
  })
  const resend = useSend(resendCode, { handles: outcomes, onError: show, onSuccess: sent('Email has been resent successfully') })
  const request = useSend(getCode, { handles: outcomes, onError: show, onSuccess: sent('Verification code sent successfully') })

  const submit = form.handleSubmit(({ code }) => {
    if (confirm.isPending) return
    setOutcome(undefined)
    confirm.mutate({ body: { email, code } })
  })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  const code = form.register('code', {
    onChange: (event: { target: { value: string } }) => {
      // a paste brings spaces and words along
      const digits = event.target.value.replace(/\D/g, '').slice(0, CODE.digits)
      form.setValue('code', digits)
      if (digits.length === CODE.digits) void submit()
    },
  })

  return (
    <div className="grid gap-4">
      {outcome ? (
        <VerifyOutcome outcome={outcome} asking={request.isPending || resend.isPending} onRequest={() => (signedIn ? request.mutate({}) : resend.mutate({ body: { email } }))} onContinue={onDone} />
      ) : null}
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field label="Verification code" error={error} hint={`The code is valid for ${CODE.minutes} minutes. It is checked as soon as all ${CODE.digits} digits are there.`}>
          <TextInput {...code} size="l" inputMode="numeric" autoComplete="one-time-code" spellCheck={false} className="tnum [&_input]:text-lg [&_input]:font-bold [&_input]:tracking-[0.35em]" />
        </Field>
        <Button type="submit" tone="primary" size="l" loading={confirm.isPending}>
          Verify email
        </Button>
      </form>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-muted">
        No mail? Look into the spam folder.
        <Button size="s" loading={resend.isPending} onClick={() => {
            form.clearErrors()
            resend.mutate({ body: { email } })
          }}>
          Resend email
        </Button>
      </p>
    </div>
  )
}
