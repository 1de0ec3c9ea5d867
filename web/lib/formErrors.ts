import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import type { ApiFailure } from './failure.ts'

/**
 * Shows the server's messages at their fields. `fields` are the form's, by their names in the API. Returns the messages
 * that belong to none of them, for a Banner.
 */
export function showFieldErrors<V extends FieldValues>(
  failure: Pick<ApiFailure, 'errors'>,
  setError: UseFormSetError<V>,
  fields: readonly FieldPath<V>[],
): string[] {
  const unplaced: string[] = []
  let first = true
  for (const [path, messages] of Object.entries(failure.errors)) {
    const field = fields.find((name) => name === path)
    const message = messages[0]
    if (!message) continue
    if (!field) unplaced.push(message)
    else setError(field, { type: 'server', message }, { shouldFocus: first })
    if (field) first = false
  }
  return unplaced
}
