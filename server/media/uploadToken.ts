import { createHmac, timingSafeEqual } from 'node:crypto'

export type UploadTicket = { orgId: string; assetId: string; expiresAt: Date }

const SIGNATURE_BYTES = 24

/** The permission to send one file until a time, as a part of a URL. It reveals nothing and can't be altered. */
export function signTicket(key: string, { orgId, assetId, expiresAt }: UploadTicket): string {
  const expiry = Buffer.alloc(6)
  expiry.writeUIntBE(Math.floor(expiresAt.getTime() / 1000), 0, 6)
  const facts = Buffer.concat([uuidBytes(orgId), uuidBytes(assetId), expiry]).toString('base64url')
  return `${facts}.${signatureOf(key, facts).toString('base64url')}`
}

/** The token's content, or undefined if it isn't ours or has expired. */
export function readTicket(key: string, token: string, now: Date): UploadTicket | undefined {
  const [facts = '', signature = ''] = token.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = signatureOf(key, facts)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  const bytes = Buffer.from(facts, 'base64url')
  const expiresAt = new Date(bytes.readUIntBE(32, 6) * 1000)
  if (expiresAt <= now) return undefined
  return { orgId: uuidText(bytes.subarray(0, 16)), assetId: uuidText(bytes.subarray(16, 32)), expiresAt }
}

const signatureOf = (key: string, facts: string): Buffer =>
  createHmac('sha256', key).update(facts).digest().subarray(0, SIGNATURE_BYTES)
const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
