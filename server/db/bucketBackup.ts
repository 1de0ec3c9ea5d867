import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Bucket } from '../objectStore/bucket.ts'
import { packed, unpackStream } from './archive.ts'
import { backupFolder, mustBeEmpty, restoreFolder, type BackupManifest } from './backup.ts'
import type { ClusterPaths } from './cluster.ts'
import type { Reached } from './withDatabase.ts'

/** A backup in the object store on the command line: s3:<name>. */
const SCHEME = 's3:'
const PREFIX = 'backups/'

/** Written after the archive, so that an archive without it isn't a complete backup. */
const Seal = z.object({ format: z.literal(1), bytes: z.int().positive(), sha256: z.string().length(64) })
const archiveOf = (name: string): string => `${PREFIX}${name}.tar.gz`
const sealOf = (name: string): string => `${PREFIX}${name}.json`

/** The name in `s3:<name>`; undefined for a path. Throws a sentence for a name that can't be a part of a key. */
export function bucketBackupName(target: string): string | undefined {
  if (!target.startsWith(SCHEME)) return undefined
  const name = target.slice(SCHEME.length)
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(name))
    throw new Error(`"${name}" can't name a backup: use letters, digits, dots, dashes and underscores after ${SCHEME}`)
  return name
}

/**
 * Writes a backup into the bucket as one archive. The database is first copied to the system's temporary folder; the
 * archive is streamed from there to the bucket, and its length is compared. On any failure, nothing of it stays. Throws
 * a sentence if the name exists.
 */
export async function backupToBucket(
  reached: Reached,
  bucket: Bucket,
  name: string,
  now: Date,
): Promise<BackupManifest> {
  if ((await bucket.find(archiveOf(name))) !== undefined)
    throw new Error(`The object store already has a backup "${name}". Choose another name`)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-backup-'))
  try {
    const made = await backupFolder(reached, folder, now)
    const seal = await send(bucket, archiveOf(name), packed(folder))
    await bucket.put(sealOf(name), Buffer.from(JSON.stringify(seal)))
    return made
  } catch (error) {
    await bucket.delete(archiveOf(name)).catch(() => undefined)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function send(bucket: Bucket, key: string, archive: Readable): Promise<z.infer<typeof Seal>> {
  const measure = measured()
  // a failed archive must fail the upload, and a failed upload must end the archive
  const [uploaded, packing] = await Promise.allSettled([
    bucket.upload(key, measure.stream).catch((error: unknown) => {
      measure.stream.destroy()
      throw error
    }),
    pipeline(archive, measure.stream),
  ])
  // when one of them fails, it ends the other, so the one that failed first says why
  const isEnded = packing.status === 'rejected' && wasCutOff(packing.reason)
  if (packing.status === 'rejected' && !isEnded) throw packing.reason
  if (uploaded.status === 'rejected') throw uploaded.reason
  const seal = { format: 1 as const, ...measure.result() }
  const stored = await bucket.find(key)
  if (stored?.bytes !== seal.bytes)
    throw new Error(`The object store kept ${stored?.bytes ?? 0} of ${seal.bytes} bytes of the backup`)
  return seal
}

/** The error of a stream whose other end went away. */
const CUT_OFF: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']
const wasCutOff = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && CUT_OFF.includes(reason.code)

/**
 * Restores a backup from the bucket into DATA_DIR, which must not contain a database. The archive is compared with its
 * stored checksum before anything of it is used. Throws a sentence if the name doesn't exist or isn't complete.
 */
export async function restoreFromBucket(bucket: Bucket, name: string, paths: ClusterPaths): Promise<BackupManifest> {
  mustBeEmpty(paths)
  const seal = await readSeal(bucket, name)
  const folder = await mkdtemp(join(tmpdir(), 'rookery-restore-'))
  try {
    const measure = measured()
    const { bytes } = await bucket.open(archiveOf(name))
    await Promise.all([pipeline(bytes, measure.stream), unpackStream(folder, measure.stream)]).catch(
      (cause: unknown) => {
        throw new Error(`The backup "${name}" in the object store is damaged or can't be read`, { cause })
      },
    )
    const found = measure.result()
    if (found.bytes !== seal.bytes || found.sha256 !== seal.sha256)
      throw new Error(`The backup "${name}" in the object store is damaged: its checksum doesn't match`)
    return await restoreFolder(folder, `s3:${name}`, paths)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readSeal(bucket: Bucket, name: string): Promise<z.infer<typeof Seal>> {
  if ((await bucket.find(sealOf(name))) === undefined) {
    const names: string[] = []
    for await (const { key } of bucket.list(PREFIX))
      if (key.endsWith('.json')) names.push(key.slice(PREFIX.length, -'.json'.length))
    const others = names.length > 0 ? `It has: ${names.join(', ')}` : 'It has none'
    throw new Error(`The object store doesn't have a complete backup "${name}". ${others}`)
  }
  return Seal.parse(JSON.parse(Buffer.from(await bucket.read(sealOf(name))).toString()))
}

/** A stream that counts and hashes what passes through. */
function measured() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
