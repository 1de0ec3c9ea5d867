import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { CODE } from '#contract/constants.ts'
import { loginSecondFactor, SecondFactorCode } from '#contract/secondFactor.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeInput } from '#web/ui/CodeInput.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

const kinds = {
  app: {
    lead: 'Enter the code from your authenticator app.',
    label: 'Authentication code',
    hint: `We'll check it as soon as you've entered all ${CODE.digits} digits.`,
    other: 'Use a recovery code',
  },
  recovery: {
    lead: 'Enter one of the codes you saved when you set up the app. Each code works once.',
    label: 'Recovery code',
    hint: 'For example, k7fq-2m9x-hd4p.',
    other: 'Use the authenticator app',
  },
} as const
type Kind = keyof typeof kinds

type Props = {
  challenge: string
  onDone: () => void
  onBack: () => void
  /** The login took too long or too many codes were wrong: it starts over, for this reason. */
  onOver: (reason: string) => void
}

/** The second step of a login: 6 digits from the app, or a recovery code. */
export function SecondFactorForm(props: Props) {
  const [kind, setKind] = useState<Kind>('app')
  return <Step key={kind} {...props} kind={kind} onOther={() => setKind(kind === 'app' ? 'recovery' : 'app')} />
}

function Step({ challenge, onDone, onBack, onOver, kind, onOther }: Props & { kind: Kind; onOther: () => void }) {
  const words = kinds[kind]
  const form = useForm({ resolver: zodResolver(z.object({ code: SecondFactorCode })), defaultValues: { code: '' } })
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  const { errors } = form.formState

  const show = (failure: ApiFailure) => {
    const message = failure.detail ?? failure.title
    if (failure.code === 'EXPIRED_CODE' || failure.code === 'LIMIT_EXCEEDED') return onOver(message)
    if (failure.code !== 'CODE_MISMATCH') return
    form.clearErrors('root')
    form.resetField('code')
    form.setError(
      'code',
      { type: failure.code, message: kind === 'app' ? message : 'That code is wrong or was already used.' },
      { shouldFocus: true },
    )
  }
  const send = useFormSend(loginSecondFactor, form, {
    handles: ['CODE_MISMATCH', 'EXPIRED_CODE', 'LIMIT_EXCEEDED'],
    onFailure: show,
    onSuccess: onDone,
  })
  const submit = form.handleSubmit(({ code }) => send.mutate({ body: { challenge, code } }))
  const field = form.register('code')

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <div>
        <h2 className="text-lg font-bold">Two-factor authentication</h2>
        <p className="mt-0.5 text-pretty text-ink-muted">{words.lead}</p>
      </div>
      <FormError errors={errors} />
      <Field label={words.label} error={errors.code?.message} hint={words.hint}>
        {kind === 'app' ? (
          <CodeInput {...field} size="l" onComplete={() => void submit()} />
        ) : (
          <TextInput
            {...field}
            size="l"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="tnum [&_input]:tracking-wider"
          />
        )}
      </Field>
      <Button type="submit" tone="primary" size="l" loading={send.isPending}>
        Log in
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        <Button tone="quiet" onClick={onBack}>
          Back
        </Button>
        <Button tone="quiet" onClick={onOther}>
          {words.other}
        </Button>
      </div>
    </form>
  )
}
