import { useRef } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type { EndpointShape, ReplyOf } from '#contract/endpoint.ts'
import type { ApiFailure, FailureCode } from './failure.ts'
import { showFieldErrors } from './formErrors.ts'
import { useSend } from './queries.ts'

type Form<V extends FieldValues> = Pick<UseFormReturn<V>, 'setError' | 'getValues'>

type Options<E extends EndpointShape> = {
  /** Refusals that the form shows itself, besides its fields' messages; the others reach the global handling. */
  handles?: readonly FailureCode[]
  refreshes?: readonly EndpointShape[]
  onSuccess?: (reply: ReplyOf<E>) => unknown
  onFailure?: (failure: ApiFailure) => void
}

/**
 * A mutation whose refusals are shown in the form that sends it: messages at their fields, and what belongs to no field
 * as the form's own error, `errors.root.server` (see ui/FormError.tsx). The form's fields are named as on the wire.
 * `mutate` sends once at a time: Enter pressed twice, faster than the button shows it, is one call.
 */
export function useFormSend<E extends EndpointShape, V extends FieldValues>(
  endpoint: E,
  form: Form<V>,
  { handles = [], onFailure, ...rest }: Options<E>,
) {
  const shown: readonly FailureCode[] = ['BAD_INPUT', ...handles]
  const sending = useRef(false)
  const send = useSend(endpoint, {
    ...rest,
    handles: shown,
    onError: (failure) => {
      if (shown.includes(failure.code)) showFailure(form, failure)
      onFailure?.(failure)
    },
    onSettled: () => {
      sending.current = false
    },
  })
  const mutate: typeof send.mutate = (...input) => {
    if (sending.current) return
    sending.current = true
    send.mutate(...input)
  }
  return { ...send, mutate }
}

function showFailure<V extends FieldValues>(form: Form<V>, failure: ApiFailure): void {
  // the names of a form's own values are paths of it
  const fields = Object.keys(form.getValues()) as FieldPath<V>[]
  const unplaced = showFieldErrors(failure, form.setError, fields)
  const placed = Object.keys(failure.errors).length - unplaced.length
  if (placed > 0 && unplaced.length === 0) return
  form.setError('root.server', { type: failure.code, message: unplaced[0] ?? failure.detail ?? failure.title })
}
