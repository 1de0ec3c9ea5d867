import Copy from 'lucide-react/icons/copy'
import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Button } from '#web/ui/Button.tsx'
import { CodeInput } from '#web/ui/CodeInput.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { copy } from '#web/ui/copy.ts'
import { QrCode } from './QrCode.tsx'

type Props = {
  id: string
  /** The app's secret, and its URL for a QR code. */
  app: { secret: string; uri: string }
  form: UseFormReturn<{ code: string }>
  onSubmit: () => void
}

/** The secret as a QR code and as a key to type, and the app's first code. */
export function ScanForm({ id, app, form, onSubmit }: Props) {
  const { errors } = form.formState
  const { setFocus } = form
  useEffect(() => setFocus('code'), [setFocus])
  return (
    <form
      id={id}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      className="grid gap-4"
    >
      <FormError errors={errors} />
      <div className="flex gap-5 max-md:flex-col max-md:items-center">
        <QrCode text={app.uri} label="QR code for your authenticator app" />
        <div className="grid min-w-0 content-start gap-4 max-md:w-full">
          <div className="grid gap-1.5">
            <p className="text-sm text-pretty text-ink-muted">
              Can't scan it? Enter this key manually, or{' '}
              <a href={app.uri} className="font-medium text-accent underline underline-offset-3">
                open it in an app on this device
              </a>
              .
            </p>
            <div className="flex items-start gap-2">
              <code className="tnum min-w-0 rounded-md border border-line bg-sunken px-2.5 py-1.5 font-mono text-sm break-words select-all">
                {grouped(app.secret)}
              </code>
              <Button
                size="s"
                icon={<Copy size={13} aria-hidden />}
                onClick={() => void copy(app.secret, 'Key copied')}
                className="mt-0.5"
              >
                Copy
              </Button>
            </div>
          </div>
          <Field label="Authentication code" error={errors.code?.message}>
            <CodeInput {...form.register('code')} onComplete={onSubmit} className="max-w-48" />
          </Field>
        </div>
      </div>
    </form>
  )
}

/** In groups of four, as people read keys aloud. */
function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
