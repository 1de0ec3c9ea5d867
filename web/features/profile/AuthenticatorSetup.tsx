import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { ReplyOf } from '#contract/endpoint.ts'
import { beginTotp, confirmTotp, SecondFactorCode } from '#contract/secondFactor.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { PasswordDialog, usePassword } from './PasswordDialog.tsx'
import { ScanForm } from './ScanForm.tsx'
import { useKeptCodes } from './useKeptCodes.tsx'
import { atPassword, passwordRefusals } from './wrongPassword.ts'

/** Turns the second step on: password, the app's code, recovery codes. Nothing changes before the code is right. */
export function AuthenticatorSetup({ onEnd }: { onEnd: () => void }) {
  const formId = useId()
  const [app, setApp] = useState<ReplyOf<typeof beginTotp>>()
  const codes = useKeptCodes('Save your recovery codes', onEnd)

  const password = usePassword()
  const begin = useFormSend(beginTotp, password, {
    handles: passwordRefusals,
    onFailure: atPassword(password, 'password'),
    onSuccess: setApp,
  })

  const form = useForm({ resolver: zodResolver(z.object({ code: SecondFactorCode })), defaultValues: { code: '' } })
  const confirm = useFormSend(confirmTotp, form, {
    handles: ['CODE_MISMATCH', 'LIMIT_EXCEEDED', 'INVALID_CODE'],
    onFailure: (failure) => {
      if (failure.code !== 'CODE_MISMATCH') return
      form.clearErrors('root')
      form.setError('code', {
        type: failure.code,
        message: "That code is wrong. Wait for the next one, and check that your phone's clock is correct.",
      })
      form.setFocus('code', { shouldSelect: true })
    },
    onSuccess: ({ recoveryCodes }) => codes.show(recoveryCodes),
  })
  const submit = form.handleSubmit((body) => confirm.mutate({ body }))

  const scan = app && {
    title: 'Scan the code',
    description: 'Scan it with your app, then enter the 6-digit code from the app.',
    size: 'm' as const,
    onClose: onEnd,
    body: <ScanForm id={formId} app={app} form={form} onSubmit={() => void submit()} />,
    footer: (
      <>
        <Button onClick={onEnd}>Cancel</Button>
        <Button type="submit" form={formId} tone="primary" loading={confirm.isPending}>
          Turn on
        </Button>
      </>
    ),
  }
  return (
    <PasswordDialog
      form={password}
      title="Set up an authenticator app"
      action="Continue"
      pending={begin.isPending}
      onSubmit={(typed) => begin.mutate({ body: { password: typed } })}
      onEnd={onEnd}
      next={codes.step ?? scan}
    >
      You'll need an authenticator app, such as 1Password, Aegis or Google Authenticator.
    </PasswordDialog>
  )
}
