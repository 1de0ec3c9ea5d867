import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { deleteAccount } from '#contract/dataRights.ts'
import { AnyPassword } from '#contract/identity.ts'
import { useFormSend } from '#web/lib/formSend.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

/** Deletes the person's own account. `onDeleted` leads to the page for people without one. */
export function DeleteAccount({ email, onDeleted }: { email: string; onDeleted: () => void }) {
  const [asked, setAsked] = useState(false)
  return (
    <>
      <p className="max-w-120 text-pretty text-ink-muted">
        You'll leave every organization immediately. What you created there stays, without your name. You can't undo
        this.
      </p>
      <Button tone="danger" className="mt-3" onClick={() => setAsked(true)}>
        Delete account
      </Button>
      {asked ? <DeleteAccountDialog email={email} onClose={() => setAsked(false)} onDeleted={onDeleted} /> : null}
    </>
  )
}

function DeleteAccountDialog({
  email,
  onClose,
  onDeleted,
}: {
  email: string
  onClose: () => void
  onDeleted: () => void
}) {
  const id = useId()
  const Fields = z.object({
    email: z
      .string()
      .refine((typed) => typed.trim().toLowerCase() === email, "This isn't your account's email address."),
    password: AnyPassword,
  })
  const form = useForm({ resolver: zodResolver(Fields), defaultValues: { email: '', password: '' } })
  const { errors } = form.formState
  const send = useFormSend(deleteAccount, form, {
    refreshes: [],
    handles: ['PASSWORD_WRONG', 'RATE_LIMITED', 'LAST_ADMIN'],
    onFailure: ({ code, detail, title }) => {
      if (code !== 'PASSWORD_WRONG') return
      form.clearErrors('root')
      form.setError('password', { type: code, message: detail ?? title }, { shouldFocus: true })
    },
    onSuccess: onDeleted,
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete your account?"
      description="Your name, email address and every way to log in are deleted immediately. Posts you scheduled will still be published."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} tone="danger" loading={send.isPending}>
            Delete account
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => void form.handleSubmit((body) => send.mutate({ body }))(event)}
        className="grid gap-4"
      >
        <FormError errors={errors} />
        <Field
          label={
            <>
              Type <b className="font-bold">{email}</b> to confirm
            </>
          }
          error={errors.email?.message}
        >
          <TextInput {...form.register('email')} autoComplete="off" spellCheck={false} inputMode="email" />
        </Field>
        <Field label="Password" error={errors.password?.message} hint="To confirm it's you.">
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
      </form>
    </Dialog>
  )
}
