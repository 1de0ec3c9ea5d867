import type { ReactNode } from 'react'
import type { FieldErrors } from 'react-hook-form'
import { Banner } from './Banner.tsx'

/** A refusal that no field can show (see lib/formSend.ts). `actions` may offer the next step. */
export function FormError({
  errors,
  children,
  actions,
}: {
  errors: FieldErrors
  children?: ReactNode
  actions?: ReactNode
}) {
  const message = errors.root?.['server']?.message
  return message ? (
    <Banner tone="bad" live title={message} actions={actions}>
      {children}
    </Banner>
  ) : null
}
