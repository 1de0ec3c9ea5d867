import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import type { ApiFailure } from './failure.ts'

/**
 * Puts the server's messages at their fields. `fields` are those that the form shows, by their names on the wire.
 * Returns the messages that belong to none of them, for a Banner.
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
