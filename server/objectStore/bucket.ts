import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type * as sdk from '@aws-sdk/client-s3'
import { z } from 'zod'
import { fail } from '../errors.ts'

/** The S3-compatible service with the installation's files. From the S3_* variables. */
export type BucketSettings = {
  bucket: string
  /** The service's URL; undefined for Amazon S3 itself. */
  endpoint: string | undefined
  region: string
  /** Undefined: the SDK looks for an instance role or a shared configuration. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Prefix of every key: empty, or ending in a slash. */
  prefix: string
  /** Whether the bucket is in the path instead of the host name. */
  pathStyle: boolean
}

type StoredObject = { bytes: Readable; length: number }
type ListedObject = { key: string; bytes: number; modifiedAt: Date }

/**
 * One bucket. Keys are relative to the configured prefix. An object is complete or doesn't exist. Every call throws
 * UNAVAILABLE if the service doesn't respond or refuses.
 */
export type Bucket = {
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Copies a local file of any size, which stays where it is, or a whole stream into the bucket. `metadata` is stored
   * with it.
   */
  upload(key: string, from: string | Readable, metadata?: Record<string, string>): Promise<void>
  /** Throws if there's no such object. */
  read(key: string): Promise<Uint8Array>
  /** The object, or the bytes from `start` up to `end` (exclusive). Throws if there's no such object. */
  open(key: string, range?: { start: number; end: number }): Promise<StoredObject>
  /** Size in bytes and metadata, or undefined if there's no such object. */
  find(key: string): Promise<{ bytes: number; metadata: Record<string, string> } | undefined>
  /** Succeeds even if there's nothing to delete. */
  delete(key: string): Promise<void>
  /** All objects with `prefix`, in the order of their keys. */
  list(prefix: string): AsyncGenerator<ListedObject>
  close(): void
}

/** Tries of one call: the first one and three more, with growing pauses. */
const ATTEMPTS = 4
const CONNECT_MS = 5_000
/** After this long without a byte, a transfer is canceled and retried. */
const SILENCE_MS = 60_000
/** How long a call that sends no file may wait for the beginning of its answer, over all tries. */
export const ANSWER_MS = 10_000

/** Names of the errors that mean "no such object" across S3-compatible services. */
const ABSENT = new Set(['NoSuchKey', 'NotFound', 'NoSuchBucket'])
const isAbsent = (error: unknown): boolean => error instanceof Error && ABSENT.has(error.name)

/**
 * Opens a bucket and checks that it responds. The SDK is loaded here, so that an installation without an object store
 * doesn't need it. `onTrouble` receives every failure's reason, for the log. Throws a sentence for people if the bucket
 * can't be used.
 */
export async function openBucket(
  settings: BucketSettings,
  onTrouble: (error: unknown) => void = () => {},
): Promise<Bucket> {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client(configOf(settings))
  await client.send(new s3.HeadBucketCommand({ Bucket: settings.bucket })).catch((error: unknown) => {
    client.destroy()
    throw new Error(unreachable(settings, error), { cause: error })
  })
  return guarded(bucketOn(client, s3, settings), onTrouble)
}

function configOf({ region, endpoint, pathStyle, credentials }: BucketSettings): sdk.S3ClientConfig {
  return {
    region,
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    // services other than Amazon's refuse the checksums that the SDK adds on its own
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials && { credentials }),
  }
}

function unreachable({ bucket, endpoint }: BucketSettings, error: unknown): string {
  const where = endpoint ?? 'Amazon S3'
  const status = statusOf(error)
  if (status === 404 || isAbsent(error))
    return `S3_BUCKET: there is no bucket "${bucket}" at ${where}. Create it first.`
  if (status === 401 || status === 403)
    return `S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: ${where} doesn't let these keys use the bucket "${bucket}".`
  return `S3_ENDPOINT: ${where} can't be reached (${error instanceof Error ? error.message : String(error)}).`
}

/** The same bucket with declared failures, except for a missing object. */
function guarded(bucket: Bucket, onTrouble: (error: unknown) => void): Bucket {
  const failed = (error: unknown): never => {
    if (isAbsent(error)) throw error
    onTrouble(error)
    throw fail('UNAVAILABLE', { detail: 'File storage is unavailable right now. Try again in a moment.', cause: error })
  }
  return {
    put: (key, bytes) => bucket.put(key, bytes).catch(failed),
    upload: (key, from, metadata) => bucket.upload(key, from, metadata).catch(failed),
    read: (key) => bucket.read(key).catch(failed),
    open: (key, range) => bucket.open(key, range).catch(failed),
    find: (key) => bucket.find(key).catch(failed),
    delete: (key) => bucket.delete(key).catch(failed),
    async *list(prefix) {
      try {
        yield* bucket.list(prefix)
      } catch (error) {
        failed(error)
      }
    },
    close: () => bucket.close(),
  }
}

/** The HTTP status in an error of the SDK; undefined without a response. */
function statusOf(error: unknown): number | undefined {
  const parsed = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) }).safeParse(error)
  return parsed.data?.$metadata.httpStatusCode
}

/** Gives up a call whose answer doesn't begin in time: the service accepts connections, but is stuck. */
async function soon<T>(call: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
  const waiting = new AbortController()
  const timer = setTimeout(() => waiting.abort(), ANSWER_MS)
  try {
    return await call(waiting.signal)
  } catch (error) {
    if (waiting.signal.aborted) throw new Error(`no answer within ${ANSWER_MS / 1000} seconds`, { cause: error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type Sdk = typeof sdk

function bucketOn(client: sdk.S3Client, s3: Sdk, { bucket: Bucket, prefix }: BucketSettings): Bucket {
  const at = (key: string) => ({ Bucket, Key: `${prefix}${key}` })
  const relative = (key: string) => key.slice(prefix.length)
  return {
    async put(key, bytes) {
      await client.send(new s3.PutObjectCommand({ ...at(key), Body: bytes, ContentLength: bytes.length }))
    },
    async upload(key, from, Metadata) {
      // a file may be larger than one PUT takes, so it goes in parts
      const { Upload } = await import('@aws-sdk/lib-storage')
      const params = {
        ...at(key),
        Body: typeof from === 'string' ? createReadStream(from) : from,
        ...(Metadata && { Metadata }),
      }
      await new Upload({ client, params, queueSize: 2, partSize: 16 * 1024 * 1024 }).done()
    },
    async read(key) {
      const { Body } = await soon((abortSignal) => client.send(new s3.GetObjectCommand(at(key)), { abortSignal }))
      return (await Body?.transformToByteArray()) ?? new Uint8Array()
    },
    async open(key, range) {
      const Range = range && `bytes=${range.start}-${range.end - 1}`
      const get = new s3.GetObjectCommand({ ...at(key), ...(Range !== undefined && { Range }) })
      const { Body, ContentLength = 0 } = await soon((abortSignal) => client.send(get, { abortSignal }))
      // the SDK's body under Node is the response itself
      return { bytes: Body as unknown as Readable, length: ContentLength }
    },
    async find(key) {
      try {
        const head = new s3.HeadObjectCommand(at(key))
        const { ContentLength = 0, Metadata = {} } = await soon((abortSignal) => client.send(head, { abortSignal }))
        return { bytes: ContentLength, metadata: Metadata }
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },
    async delete(key) {
      const remove = new s3.DeleteObjectCommand(at(key))
      await soon((abortSignal) => client.send(remove, { abortSignal })).catch((error: unknown) => {
        if (!isAbsent(error)) throw error
      })
    },
    async *list(below) {
      let ContinuationToken: string | undefined
      do {
        const list = new s3.ListObjectsV2Command({
          Bucket,
          Prefix: `${prefix}${below}`,
          ...(ContinuationToken !== undefined && { ContinuationToken }),
        })
        const page = await soon((abortSignal) => client.send(list, { abortSignal }))
        for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
          if (Key !== undefined) yield { key: relative(Key), bytes: Size, modifiedAt: LastModified }
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
    },
    close: () => client.destroy(),
  }
}
