import { zodResolver } from '@hookform/resolvers/zod'
import { useId, type ReactNode } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { AnyPassword } from '#contract/identity.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FormError } from '#web/ui/FormError.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'

type Fields = { password: string }

/** The form of a PasswordDialog, for `useFormSend` and `atPassword`. */
export function usePassword(): UseFormReturn<Fields> {
  return useForm({ resolver: zodResolver(z.object({ password: AnyPassword })), defaultValues: { password: '' } })
}

/** What follows the password in the same dialog, which keeps the focus and returns it at the end. */
type Next = {
  title: string
  description?: ReactNode
  body: ReactNode
  footer: ReactNode
  size?: 's' | 'm'
  onClose: () => void
}

type Props = {
  form: UseFormReturn<Fields>
  title: string
  /** What will happen. */
  children: ReactNode
  /** The verb itself. */
  action: string
  danger?: boolean
  pending: boolean
  onSubmit: (password: string) => void
  onEnd: () => void
  next?: Next | undefined
}

/** Asks for the password before something that a session alone must not do. */
export function PasswordDialog({
  form,
  title,
  children,
  action,
  danger = false,
  pending,
  onSubmit,
  onEnd,
  next,
}: Props) {
  const formId = useId()
  const { errors } = form.formState
  const first: Next = {
    title,
    description: children,
    onClose: onEnd,
    footer: (
      <>
        <Button onClick={onEnd}>Cancel</Button>
        <Button type="submit" form={formId} tone={danger ? 'danger' : 'primary'} loading={pending}>
          {action}
        </Button>
      </>
    ),
    body: (
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void form.handleSubmit(({ password }) => onSubmit(password))(event)}
        className="grid gap-4"
      >
        <FormError errors={errors} />
        <Field label="Password" error={errors.password?.message} hint="To confirm it's you.">
          <PasswordInput {...form.register('password')} autoComplete="current-password" />
        </Field>
      </form>
    ),
  }
  const { body, onClose, ...shown } = next ?? first
  return (
    <Dialog {...shown} open onOpenChange={(open) => (open ? undefined : onClose())}>
      {body}
    </Dialog>
  )
}
