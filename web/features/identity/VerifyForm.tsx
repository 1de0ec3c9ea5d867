import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CODE } from '#contract/constants.ts'
import { Code, confirmSignUp, getCode, resendCode } from '#contract/identity.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useSend } from '#web/lib/queries.ts'
import { clockOf, useWait, waitIn } from '#web/lib/wait.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeInput } from '#web/ui/CodeInput.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { toast } from '#web/ui/toast.ts'
import { MailFolder } from './MailFolder.tsx'
import { outcomes, VerifyOutcome } from './VerifyOutcome.tsx'

type Props = {
  email: string
  /** Whether a session is open: only then can a new code be requested in its name. */
  signedIn: boolean
  onDone: () => void
}

/** The 6 digits from the email, and the ways to get new ones. */
export function VerifyForm({ email, signedIn, onDone }: Props) {
  const [outcome, setOutcome] = useState<ApiFailure>()
  const wait = useWait()
  const form = useForm({ resolver: zodResolver(z.object({ code: Code })), defaultValues: { code: '' } })
  const { errors } = form.formState

  const show = (failure: ApiFailure) => {
    form.clearErrors('root')
    if (failure.code === 'CODE_MISMATCH') {
      form.setError('code', { type: failure.code, message: failure.detail ?? failure.title })
      form.setFocus('code', { shouldSelect: true })
    } else if (outcomes.some((code) => code === failure.code)) {
      setOutcome(failure)
      form.resetField('code')
      wait.begin(waitIn(failure))
    }
  }
  const sent = (message: string) => () => {
    setOutcome(undefined)
    form.reset()
    form.setFocus('code')
    toast.success(message)
  }
  const confirm = useFormSend(confirmSignUp, form, {
    handles: ['CODE_MISMATCH', ...outcomes],
    onFailure: show,
    onSuccess: ({ message = 'Email verified successfully' }) => {
      // without a session, the server asks for a new password, with an email that its message mentions
      toast.success(message)
      onDone()
    },
  })
  const resend = useSend(resendCode, {
    handles: outcomes,
    onError: show,
    onSuccess: sent('Email has been resent successfully'),
  })
  const request = useSend(getCode, {
    handles: outcomes,
    onError: show,
    onSuccess: sent('Verification code sent successfully'),
  })

  const submit = form.handleSubmit(({ code }) => {
    setOutcome(undefined)
    confirm.mutate({ body: { email, code } })
  })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])

  return (
    <div className="grid gap-4">
      {outcome ? (
        <VerifyOutcome
          outcome={outcome}
          signedIn={signedIn}
          wait={wait.left}
          asking={request.isPending || resend.isPending}
          onRequest={() => (signedIn ? request.mutate({}) : resend.mutate({ body: { email } }))}
          onContinue={onDone}
        />
      ) : null}
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <Field
          label="Verification code"
          error={errors.code?.message}
          hint={`The code expires in ${CODE.minutes} minutes. We'll check it as soon as you've entered all ${CODE.digits} digits.`}
        >
          <CodeInput {...form.register('code')} size="l" onComplete={() => void submit()} />
        </Field>
        <Button type="submit" tone="primary" size="l" loading={confirm.isPending}>
          Verify email
        </Button>
      </form>
      <MailFolder />
      {outcome ? null : (
        // a refused code comes with its own way to a new one
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-muted">
          Didn't get the email? Check your spam folder.
          <Button
            size="s"
            loading={resend.isPending}
            disabled={wait.left > 0}
            onClick={() => {
              form.clearErrors()
              resend.mutate({ body: { email } })
            }}
          >
            {wait.left > 0 ? `Resend email in ${clockOf(wait.left)}` : 'Resend email'}
          </Button>
        </p>
      )}
    </div>
  )
}
