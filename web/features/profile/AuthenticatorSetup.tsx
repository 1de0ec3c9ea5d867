import { zodResolver } from '@hookform/resolvers/zod'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { ReplyOf } from '#contract/endpoint.ts'
import { listSessions } from '#contract/identity.ts'
import { beginTotp, confirmTotp, mySecurity, SecondFactorCode } from '#contract/secondFactor.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeInput } from '#web/ui/CodeInput.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { CodesDialog } from './CodesDialog.tsx'
import { copy } from './copy.ts'
import { PasswordDialog, usePassword } from './PasswordDialog.tsx'
import { QrCode } from './QrCode.tsx'
import { atPassword, passwordRefusals } from './wrongPassword.ts'

type App = ReplyOf<typeof beginTotp>

/** Turns the second step on: password, the app's code, recovery codes. Nothing changes before the code is right. */
export function AuthenticatorSetup({ onEnd }: { onEnd: () => void }) {
  const [app, setApp] = useState<App>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <CodesDialog title="Keep your recovery codes" codes={codes} onEnd={onEnd} />
  if (app) return <ScanStep app={app} onCodes={setCodes} onEnd={onEnd} />
  return <PasswordStep onApp={setApp} onEnd={onEnd} />
}

function PasswordStep({ onApp, onEnd }: { onApp: (app: App) => void; onEnd: () => void }) {
  const form = usePassword()
  const begin = useFormSend(beginTotp, form, { handles: passwordRefusals, onFailure: atPassword(form, 'password'), onSuccess: onApp })
  return (
    <PasswordDialog form={form} title="Set up an authenticator app" action="Continue" pending={begin.isPending} onSubmit={(password) => begin.mutate({ body: { password } })} onEnd={onEnd}>
      You need an app that makes codes, such as 1Password, Aegis or Google Authenticator.
    </PasswordDialog>
  )
}

function ScanStep({ app, onCodes, onEnd }: { app: App; onCodes: (codes: readonly string[]) => void; onEnd: () => void }) {
  const formId = useId()
  const form = useForm({ resolver: zodResolver(z.object({ code: SecondFactorCode })), defaultValues: { code: '' } })
  const { errors } = form.formState
  const confirm = useFormSend(confirmTotp, form, {
    handles: ['CODE_MISMATCH', 'LIMIT_EXCEEDED', 'INVALID_CODE'],
    refreshes: [mySecurity, listSessions],
    onFailure: (failure) => {
      if (failure.code !== 'CODE_MISMATCH') return
      form.clearErrors('root')
      form.setError('code', { type: failure.code, message: 'This code is not right. Wait for the next one, and check that the clock of your phone is right.' }, { shouldFocus: true })
    },
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
  })
  const submit = form.handleSubmit((body) => confirm.mutate({ body }))
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onEnd())}
      size="m"
      title="Scan the code"
      description="Scan it with your app, then enter the 6 digits that the app shows."
      footer={
        <>
          <Button onClick={onEnd}>Cancel</Button>
          <Button type="submit" form={formId} tone="primary" loading={confirm.isPending}>
            Turn on
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
        <FormError errors={errors} />
        <div className="flex gap-5 max-md:flex-col max-md:items-center">
          <QrCode text={app.uri} label="QR code for your authenticator app" />
          <div className="grid min-w-0 content-start gap-4 max-md:w-full">
            <div className="grid gap-1.5">
              <p className="text-sm text-pretty text-ink-muted">Cannot scan it? Enter this key by hand, or <a href={app.uri} className="font-medium text-accent underline underline-offset-3">open it in an app on this device</a>.</p>
              <div className="flex items-start gap-2">
                <code className="tnum min-w-0 rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-sm break-words select-all">{grouped(app.secret)}</code>
                <Button size="s" icon={<Copy size={13} aria-hidden />} onClick={() => void copy(app.secret, 'Key copied')} className="mt-0.5">
                  Copy
                </Button>
              </div>
            </div>
            <Field label="Authentication code" error={errors.code?.message}>
              <CodeInput {...form.register('code')} onComplete={() => void submit()} className="max-w-48" />
            </Field>
          </div>
        </div>
      </form>
    </Dialog>
  )
}

/** In fours, as keys are read aloud. */
function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
