/** The part of s3rver that the tests use; the package brings no types. */
declare module 's3rver' {
  import type { Readable } from 'node:stream'

  export type StoredObject = {
    bucket: string
    key: string
    content: Buffer | Readable
    metadata: Record<string, string>
  }
  /** How objects are kept: as files of a folder. */
  export type ObjectStore = {
    getResourcePath(bucket: string, key: string | undefined, resource: string): string
    putMetadata(bucket: string, key: string, metadata: Record<string, string>, md5: string): Promise<void>
    getObject(...given: unknown[]): Promise<unknown>
    listObjects(...given: unknown[]): Promise<unknown>
    deleteObject(...given: unknown[]): Promise<unknown>
    copyObject(...given: unknown[]): Promise<unknown>
    putObject(object: StoredObject): Promise<{ size: number; md5: string }>
    putPart(
      bucket: string,
      uploadId: string,
      partNumber: number,
      content: StoredObject['content'],
    ): Promise<{ size: number; md5: string }>
  }

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      configureBuckets: { name: string }[]
    })
    readonly store: ObjectStore
    run(): Promise<{ address: string; port: number }>
    close(): Promise<void>
  }
}
