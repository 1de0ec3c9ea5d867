import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '../db/kysely.ts'
import { writePrivately } from '../db/privateFiles.ts'
import type { Secret } from '../platforms/platform.ts'
import { seal, unseal, type Sealed, type SecretKey, type SecretKeys } from '../sealing.ts'

export type { SecretKeys } from '../sealing.ts'
export type SecretRow = { orgId: string; channelId: string }

const KEY_BYTES = 32
const FILE = 'encryption-keys'

/**
 * The keys from ENCRYPTION_KEY (32 bytes in base64; during a rotation several, newest first, separated by commas) or,
 * without it, from a file in DATA_DIR with mode 0600 that is created on first start. Throws an error message for
 * operators.
 */
export function readSecretKeys(from: { dataDir: string; encryptionKey?: string | undefined }): SecretKeys {
  if (from.encryptionKey) return parseKeys(from.encryptionKey.split(','), 'ENCRYPTION_KEY')
  const file = join(from.dataDir, FILE)
  if (!existsSync(file)) writePrivately(file, `${newKey()}\n`)
  return parseKeys(readFileSync(file, 'utf8').split('\n'), file)
}

/** Adds a new first key to the key file, for the rotation command. Returns all keys. */
export function addSecretKey(dataDir: string): SecretKeys {
  const file = join(dataDir, FILE)
  const known = existsSync(file) ? readFileSync(file, 'utf8') : ''
  writePrivately(file, `${newKey()}\n${known}`)
  return parseKeys(readFileSync(file, 'utf8').split('\n'), file)
}

/** Drops every key but the newest, after all rows have been resealed. */
export function keepNewestKey(dataDir: string): SecretKeys {
  const keys = readSecretKeys({ dataDir })
  writePrivately(join(dataDir, FILE), `${keys[0].key.toString('base64')}\n`)
  return [keys[0]]
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

function parseKeys(texts: readonly string[], where: string): SecretKeys {
  const [first, ...more] = texts
    .map((text) => text.trim())
    .filter(Boolean)
    .map((text) => parseKey(text, where))
  if (!first) throw new Error(`${where} holds no key`)
  return [first, ...more]
}

function parseKey(text: string, where: string): SecretKey {
  const key = Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES) throw new Error(`${where}: a key is ${KEY_BYTES} random bytes in base64`)
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

/** Seals a secret for one channel's row. */
export function sealSecret(keys: SecretKeys, row: SecretRow, secret: Secret): Sealed {
  return seal(keys, nameOf(row), JSON.stringify(secret))
}

/** Opens what `sealSecret` sealed for the same row. Throws if the key is gone, the row is another one, or a byte was changed. */
export function openSecret(keys: SecretKeys, row: SecretRow, sealed: Sealed): Secret {
  // authenticated: it's what sealSecret wrote
  return JSON.parse(unseal(keys, nameOf(row), sealed)) as Secret
}

/** Binds a token to its channel's row, so that a copy in another row doesn't open. */
const nameOf = ({ orgId, channelId }: SecretRow) => `rookery channel ${orgId}/${channelId}`

/** Stores a channel's secret, new or as a replacement; an interrupted renewal of the old one is forgotten. */
export async function storeSecret(
  tx: Tx,
  keys: SecretKeys,
  row: SecretRow,
  secret: Secret,
  expiresAt: Date | null,
): Promise<void> {
  const { keyId, sealed } = sealSecret(keys, row, secret)
  const values = {
    key_id: keyId,
    sealed,
    expires_at: expiresAt,
    refresh_lease_until: null,
    refresh_lease_by: null,
    refresh_started_at: null,
    refresh_tries: 0,
  }
  await tx
    .insertInto('channel_secret')
    .values({ org_id: row.orgId, channel_id: row.channelId, ...values })
    .onConflict((oc) =>
      oc
        .columns(['org_id', 'channel_id'])
        .doUpdateSet((eb) => ({ ...values, version: eb('channel_secret.version', '+', 1) })),
    )
    .execute()
}

/** A channel's secret, or undefined if it has none. For requests that aren't deliveries. */
export async function loadSecret(
  tx: Tx,
  keys: SecretKeys,
  row: SecretRow,
): Promise<{ secret: Secret; expiresAt: Date | null; version: number } | undefined> {
  const found = await tx
    .selectFrom('channel_secret')
    .select(['key_id', 'sealed', 'expires_at', 'version'])
    .where('org_id', '=', row.orgId)
    .where('channel_id', '=', row.channelId)
    .executeTakeFirst()
  if (!found) return undefined
  return {
    secret: openSecret(keys, row, { keyId: found.key_id, sealed: found.sealed }),
    expiresAt: found.expires_at,
    version: found.version,
  }
}

/**
 * Reseals up to `limit` rows that use older keys with the newest one, across tenants, as the system role. Returns how
 * many; the command repeats until it's 0. A renewal that is stored in the meantime wins: its row already uses the
 * newest key.
 */
export async function resealSecrets(tx: Tx, keys: SecretKeys, limit = 100): Promise<number> {
  const rows = await tx
    .selectFrom('channel_secret')
    .select(['org_id', 'channel_id', 'key_id', 'sealed'])
    .where('key_id', '<>', keys[0].id)
    .limit(limit)
    .forUpdate()
    .execute()
  for (const { org_id: orgId, channel_id: channelId, key_id: keyId, sealed } of rows) {
    const again = sealSecret(keys, { orgId, channelId }, openSecret(keys, { orgId, channelId }, { keyId, sealed }))
    await tx
      .updateTable('channel_secret')
      .set({ key_id: again.keyId, sealed: again.sealed })
      .where('org_id', '=', orgId)
      .where('channel_id', '=', channelId)
      .execute()
  }
  return rows.length
}
