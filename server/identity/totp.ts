import { Secret, TOTP } from 'otpauth'
import { seal, unseal, type Sealed, type SecretKeys } from '../sealing.ts'

/*
 * Codes of an authenticator app (RFC 6238): SHA-1, 6 digits, 30 seconds, which every app supports. The codes of the
 * previous and next step are accepted too, for clocks that differ.
 */

const STEP_SECONDS = 30
const WINDOW = 1
/** As RFC 4226, section 4, recommends. */
const SECRET_BYTES = 20

const appOf = (secret: Secret, label: string) => new TOTP({ issuer: 'Rookery', label, secret, period: STEP_SECONDS })

/** A new secret in base32, and its otpauth URL for a QR code. */
export function makeTotp(email: string): { secret: string; uri: string } {
  const secret = new Secret({ size: SECRET_BYTES })
  return { secret: secret.base32, uri: appOf(secret, email).toString() }
}

/** The code's time step, at most one away from now; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = appOf(Secret.fromBase32(secret), '').validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta
}

/** Bound to its person, so that a secret copied to someone else's row can't be decrypted. */
const nameOf = (personId: string) => `rookery totp ${personId}`

export const sealTotp = (keys: SecretKeys, personId: string, secret: string): Sealed =>
  seal(keys, nameOf(personId), secret)
export const openTotp = (keys: SecretKeys, personId: string, sealed: Sealed): string =>
  unseal(keys, nameOf(personId), sealed)
