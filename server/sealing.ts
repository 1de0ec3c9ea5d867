import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/*
 * Secrets at rest: AES-256-GCM, bound to their row by the associated data, so that a sealed secret copied to another
 * row doesn't open. The first key seals, every key opens; a row names its key.
 */

export type SecretKey = { id: string; key: Buffer }
/** The first one seals. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]
export type Sealed = { keyId: string; sealed: Buffer }

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals a text for the row that `boundTo` names. */
export function seal(keys: SecretKeys, boundTo: string, text: string): Sealed {
  const [{ id, key }] = keys
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return { keyId: id, sealed: Buffer.concat([nonce, cipher.getAuthTag(), body]) }
}

/** Opens what `seal` made for the same row. Throws when the key is gone, the row another, or a byte was changed. */
export function unseal(keys: SecretKeys, boundTo: string, { keyId, sealed }: Sealed): string {
  const found = keys.find((key) => key.id === keyId)
  if (!found)
    throw new Error(`The key ${keyId} that sealed this token is missing: restore it from the backup of the data folder`)
  const decipher = createDecipheriv('aes-256-gcm', found.key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(boundTo))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}
