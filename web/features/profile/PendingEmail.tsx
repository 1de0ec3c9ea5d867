import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CODE } from '#contract/constants.ts'
import { Code, getCode, userDetails, verifyCode } from '#contract/identity.ts'
import { cancelEmailChange } from '#contract/profile.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { useSend } from '#web/lib/queries.ts'
import { clockOf, useWait, waitIn } from '#web/lib/wait.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeInput } from '#web/ui/CodeInput.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { toast } from '#web/ui/toast.ts'

/** A new address that waits for the code emailed to it. */
export function PendingEmail({ email }: { email: string }) {
  const wait = useWait()
  const form = useForm({ resolver: zodResolver(z.object({ code: Code })), defaultValues: { code: '' } })
  const { errors } = form.formState
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])

  const confirm = useFormSend(verifyCode, form, {
    handles: [
      'CODE_MISMATCH',
      'EXPIRED_CODE',
      'LIMIT_EXCEEDED',
      'INVALID_CODE',
      'USER_EXISTS',
      'USER_ALREADY_CONFIRMED',
    ],
    onFailure: (failure) => {
      if (failure.code !== 'CODE_MISMATCH') return
      form.clearErrors('root')
      form.setError('code', { type: failure.code, message: failure.detail ?? failure.title })
      form.setFocus('code', { shouldSelect: true })
    },
    onSuccess: () => toast.success('Email verified successfully'),
  })
  const tell = (failure: ApiFailure) => {
    const seconds = waitIn(failure)
    wait.begin(seconds)
    form.setError('root.server', {
      type: failure.code,
      message: seconds
        ? 'Too many codes. You can request one a minute, up to five an hour.'
        : (failure.detail ?? failure.title),
    })
  }
  const request = useSend(getCode, {
    handles: ['LIMIT_EXCEEDED', 'USER_ALREADY_CONFIRMED'],
    onError: tell,
    onSuccess: () => {
      form.reset()
      form.setFocus('code')
      toast.success('Verification code sent successfully')
    },
  })
  const cancel = useSend(cancelEmailChange, {
    refreshes: [userDetails],
    onSuccess: () => toast.success('Email change canceled'),
  })
  const submit = form.handleSubmit(({ code }) => confirm.mutate({ body: { code } }))

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <p className="text-pretty">
        We sent a code to <b className="font-semibold break-words">{email}</b>. Your account keeps its current address
        until you enter it.
      </p>
      <FormError errors={errors} />
      <Field
        label="Verification code"
        error={errors.code?.message}
        hint={`The code expires in ${CODE.minutes} minutes.`}
      >
        <CodeInput {...form.register('code')} onComplete={() => void submit()} className="max-w-48" />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" loading={confirm.isPending}>
          Confirm email
        </Button>
        <Button
          loading={request.isPending}
          disabled={wait.left > 0}
          onClick={() => {
            form.clearErrors()
            request.mutate({})
          }}
        >
          {wait.left > 0 ? `Resend code in ${clockOf(wait.left)}` : 'Resend code'}
        </Button>
        <Button tone="quiet" loading={cancel.isPending} onClick={() => cancel.mutate({})}>
          Cancel change
        </Button>
      </div>
    </form>
  )
}
