import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { ApiFailure, FailureCode } from '#web/lib/failure.ts'

/** The refusals of calls that ask for the password, which the form shows itself. */
export const passwordRefusals = ['PASSWORD_WRONG', 'RATE_LIMITED'] as const satisfies FailureCode[]

/** For a form's `onFailure`: shows a wrong password at its field, not above the form. */
export function atPassword<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'clearErrors' | 'setError'>,
  field: FieldPath<V>,
) {
  return (failure: ApiFailure) => {
    if (failure.code !== 'PASSWORD_WRONG') return
    form.clearErrors('root')
    form.setError(field, { type: failure.code, message: failure.detail ?? failure.title }, { shouldFocus: true })
  }
}
