import type { EndpointShape } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'

/** The caller, as far as it's known when a call ended. */
export type Who = { personId: string | null; orgId: string | null; projectId: string | null }

/** Refusals that are security events. Wrong logins are recorded by the login, which knows whose account was tried. */
const refusals: Partial<Record<ErrorCode, string>> = {
  FORBIDDEN: 'access.denied',
  IDENTIFIERS_ERROR: 'access.denied',
  ROLE_EXCEEDS: 'access.denied',
  INVITE_WRONG_ADDRESS: 'access.denied',
  SECOND_FACTOR_NEEDED: 'access.denied',
  FOREIGN_ORIGIN: 'origin.refused',
  ADDRESS_REFUSED: 'address.refused',
  RATE_LIMITED: 'limit.reached',
  LIMIT_EXCEEDED: 'limit.reached',
  PASSWORD_WRONG: 'password.wrong',
  CODE_MISMATCH: 'code.wrong',
  RESET_LINK_INVALID: 'link.refused',
  HUMAN_CHECK_FAILED: 'human_check.failed',
  SIGNATURE_REFUSED: 'signature.refused',
}

/** What a refused call is called as a security event; undefined for one that is none. */
export function eventOfRefusal(code: ErrorCode, endpoint: EndpointShape): string | undefined {
  // the login records it, with the account that was tried
  if (endpoint.security === 'login' && (code === 'RATE_LIMITED' || code === 'CODE_MISMATCH')) return undefined
  return refusals[code]
}

/** Changes of who may do what. */
const accessEntities = new Set(['member', 'role', 'invite'])

/** The same for a successful call: what its declaration names, or a change of access that its audit entry describes. */
export function eventOfSuccess({ security, audit }: EndpointShape): string | undefined {
  if (security !== undefined) return security === 'login' ? undefined : security
  return audit && 'action' in audit && accessEntities.has(audit.entity) ? 'access.changed' : undefined
}
