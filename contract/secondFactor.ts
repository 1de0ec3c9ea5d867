import { z } from 'zod'
import { Done, Id, Instant } from './common.ts'
import { anyUser, endpoint, everybody } from './endpoint.ts'
import { AnyPassword } from './identity.ts'

const OWN = { none: 'belongs to the person, not to an organization' } as const
const NO_ORG = { none: 'no organization chosen' } as const

/**
 * Six digits from an authenticator app, or a recovery code such as `k7fq-2m9x-hd4p`. Spaces, hyphens and case don't
 * count.
 */
export const SecondFactorCode = z
  .string()
  .max(100, 'Enter the 6 digits from your app, or a recovery code')
  .transform((text) => text.replaceAll(/[\s-]/g, '').toLowerCase())
  .pipe(z.string().regex(/^(\d{6}|[a-z0-9]{12})$/, 'Enter the 6 digits from your app, or a recovery code'))
/** What the browser's WebAuthn call answered, in its JSON form; the server verifies all of it. */
/** What the browser made, of which the library knows the shape: some kilobytes. */
export const PasskeyResponse = z.looseObject({ id: z.string().min(1).max(2000) })
/** The options that the browser's WebAuthn call takes. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() })
export const PasskeyName = z.string().trim().min(1, 'Give the passkey a name').max(50, 'This name is too long')

export const loginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/public/user/login/second-factor',
  summary:
    'Finish a login that requires a second factor. A challenge works for 5 minutes and 5 attempts. Each code works once',
  security: 'login',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ challenge: z.string().min(20).max(200), code: SecondFactorCode }),
  reply: Done,
  errors: ['CODE_MISMATCH', 'EXPIRED_CODE', 'LIMIT_EXCEEDED'],
  audit: NO_ORG,
})
export const passkeyLoginOptions = endpoint({
  method: 'POST',
  path: '/api/public/user/passkey/options',
  summary: 'Get a challenge for a passkey login. The response is the same for everyone',
  access: everybody,
  cost: 'light',
  changes: [],
  reply: PasskeyOptions,
  audit: NO_ORG,
})
export const passkeyLogin = endpoint({
  method: 'POST',
  path: '/api/public/user/passkey/login',
  summary: 'Log in with a passkey. It counts as both factors',
  security: 'login',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ response: PasskeyResponse }),
  reply: Done,
  errors: ['LOGIN_FAILED', 'RATE_LIMITED'],
  audit: NO_ORG,
})

export const Passkey = z.object({ passkeyId: Id, name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() })
export const mySecurity = endpoint({
  method: 'GET',
  path: '/api/user/security',
  summary: 'Get your second factors',
  access: anyUser,
  cost: 'light',
  reads: ['security'],
  reply: z.object({ totp: z.boolean(), recoveryCodesLeft: z.int(), passkeys: z.array(Passkey) }),
  audit: null,
})

export const beginTotp = endpoint({
  method: 'POST',
  path: '/api/user/totp',
  summary: 'Start setting up an authenticator app. Returns its secret once. Nothing changes until you enter a code',
  access: anyUser,
  cost: 'light',
  changes: [],
  body: z.object({ password: AnyPassword }),
  reply: z.object({ secret: z.string(), /** otpauth: address, for a QR code. */ uri: z.string() }),
  errors: ['PASSWORD_WRONG', 'RATE_LIMITED'],
  audit: OWN,
})
export const confirmTotp = endpoint({
  method: 'PUT',
  path: '/api/user/totp',
  summary:
    'Turn on the authenticator app with its first code. Returns ten recovery codes once, and ends your other sessions',
  security: 'second_factor.added',
  access: anyUser,
  cost: 'light',
  changes: ['security', 'session'],
  body: z.object({ code: SecondFactorCode }),
  reply: Done.extend({ recoveryCodes: z.array(z.string()) }),
  errors: ['CODE_MISMATCH', 'LIMIT_EXCEEDED', 'INVALID_CODE'],
  audit: OWN,
})
export const disableTotp = endpoint({
  method: 'POST',
  path: '/api/user/totp/disable',
  summary: 'Turn off the authenticator app. Its recovery codes stop working',
  security: 'second_factor.removed',
  access: anyUser,
  cost: 'light',
  changes: ['security'],
  body: z.object({ password: AnyPassword }),
  reply: Done,
  errors: ['PASSWORD_WRONG', 'RATE_LIMITED'],
  audit: OWN,
})
export const newRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/user/totp/recovery-codes',
  summary: 'Create ten new recovery codes, returned once. The old ones stop working',
  security: 'recovery_codes.renewed',
  access: anyUser,
  cost: 'light',
  changes: ['security'],
  body: z.object({ password: AnyPassword }),
  reply: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['PASSWORD_WRONG', 'RATE_LIMITED', 'INVALID_CODE'],
  audit: OWN,
})

export const passkeyOptions = endpoint({
  method: 'POST',
  path: '/api/user/passkeys/options',
  summary: 'Get a challenge for a new passkey. You can have up to 20',
  access: anyUser,
  cost: 'light',
  changes: [],
  body: z.object({ password: AnyPassword }),
  reply: PasskeyOptions,
  errors: ['PASSWORD_WRONG', 'RATE_LIMITED', 'LIMIT_EXCEEDED'],
  audit: OWN,
})
export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/user/passkeys',
  summary: 'Save a new passkey',
  security: 'second_factor.added',
  access: anyUser,
  cost: 'light',
  changes: ['security'],
  body: z.object({ name: PasskeyName, response: PasskeyResponse }),
  bodyLimit: 65_536,
  reply: Done.extend({ passkeyId: Id }),
  errors: ['INVALID_CODE'],
  audit: OWN,
})
export const deletePasskey = endpoint({
  method: 'DELETE',
  path: '/api/user/passkeys/:passkeyId',
  summary: 'Delete one of your passkeys',
  security: 'second_factor.removed',
  access: anyUser,
  cost: 'light',
  changes: ['security'],
  params: z.object({ passkeyId: Id }),
  reply: Done,
  errors: ['NOT_FOUND'],
  audit: OWN,
})
