import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { AnyPassword } from '#contract/identity.ts'
import { addPasskey, PasskeyName, passkeyOptions } from '#contract/secondFactor.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { toast } from '#web/ui/toast.ts'
import { registered } from './registerPasskey.ts'
import { atPassword, passwordRefusals } from './wrongPassword.ts'

const Fields = z.object({ name: PasskeyName, password: AnyPassword })

/** Adds a passkey: its name and the password, then the browser's own dialog. */
export function AddPasskey({ onEnd }: { onEnd: () => void }) {
  const formId = useId()
  const [waiting, setWaiting] = useState(false)
  const gone = useRef(false)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
    }
  }, [])
  const form = useForm({
    resolver: zodResolver(Fields),
    defaultValues: { name: deviceName(navigator.userAgent), password: '' },
  })
  const { errors } = form.formState

  const add = useFormSend(addPasskey, form, {
    handles: ['INVALID_CODE'],
    onSuccess: () => {
      toast.success('Passkey added')
      onEnd()
    },
  })
  const ceremony = async (options: ReplyOf<typeof passkeyOptions>) => {
    setWaiting(true)
    const answer = await registered(options)
    setWaiting(false)
    // the dialog was closed in the meantime: nothing is stored
    if (gone.current) return
    if ('problem' in answer) form.setError('root.server', { type: 'browser', message: answer.problem })
    else add.mutate({ body: { name: form.getValues('name'), response: answer.response } })
  }
  const ask = useFormSend(passkeyOptions, form, {
    handles: passwordRefusals,
    onFailure: atPassword(form, 'password'),
    onSuccess: ceremony,
  })

  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onEnd())}
      title="Add a passkey"
      footer={
        <>
          <Button onClick={onEnd}>Cancel</Button>
          <Button type="submit" form={formId} tone="primary" loading={ask.isPending || waiting || add.isPending}>
            Add passkey
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ password }) => ask.mutate({ body: { password } }))(event)}
        className="grid gap-4"
      >
        <FormError errors={errors} />
        <Field label="Name" error={errors.name?.message} hint="So you can recognize it in the list.">
          <TextInput {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Password" error={errors.password?.message} hint="To confirm it's you.">
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
      </form>
    </Dialog>
  )
}

const devices: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android phone'],
  [/CrOS/, 'Chromebook'],
  [/Mac OS X/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/Linux/, 'Linux computer'],
]

/** A suggested name for a passkey on this device. */
function deviceName(userAgent: string): string {
  return devices.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My passkey'
}
