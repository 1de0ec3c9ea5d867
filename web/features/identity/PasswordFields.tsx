import CircleHelp from 'lucide-react/icons/circle-question-mark'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { passwordChecks } from '#contract/identity.ts'
import { Checklist } from '#web/ui/Checklist.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PasswordInput } from '#web/ui/PasswordInput.tsx'
import { Popover } from '#web/ui/Popover.tsx'

type Props = {
  label?: string
  confirmLabel?: string
  /** What is typed so far, for the live list. */
  typed: string
  password: UseFormRegisterReturn
  confirmation: UseFormRegisterReturn
  errors: {
    password?: { message?: string | undefined } | undefined
    confirmPassword?: { message?: string | undefined } | undefined
  }
}

/** A new password and its confirmation, with the requirements live while it's typed and behind a button at any time. */
export function PasswordFields({
  label = 'Password',
  confirmLabel = 'Confirm password',
  typed,
  password,
  confirmation,
  errors,
}: Props) {
  const requirements = (
    <Checklist
      label="Password requirements"
      items={passwordChecks.map((check) => ({ text: check.label, met: check.test(typed) }))}
    />
  )
  return (
    <>
      <Field
        label={label}
        error={errors.password?.message}
        aside={
          <Popover
            label="Password requirements"
            align="end"
            trigger={
              <button
                type="button"
                className="hit-area inline-flex items-baseline gap-1 rounded-sm text-sm text-ink-muted hover:text-ink"
              >
                <CircleHelp size={13} aria-hidden className="self-center" /> Requirements
              </button>
            }
          >
            {requirements}
          </Popover>
        }
      >
        <PasswordInput {...password} size="l" autoComplete="new-password" checklist={requirements} />
      </Field>
      <Field label={confirmLabel} error={errors.confirmPassword?.message}>
        <PasswordInput {...confirmation} size="l" autoComplete="new-password" />
      </Field>
    </>
  )
}
