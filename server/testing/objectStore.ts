import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import type { TestProject } from 'vitest/node'
import type { BucketSettings } from '../objectStore/bucket.ts'
import { makeAtomic } from './wholeObjects.ts'

/** An S3-compatible service on this machine with one empty bucket. */
export async function startObjectServer(): Promise<{ settings: BucketSettings; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'rookery-test-s3-'))
  const bucket = 'files'
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  makeAtomic(server.store)
  const { address, port } = await server.run()
  return {
    settings: {
      bucket,
      endpoint: `http://${address}:${port}`,
      region: 'us-east-1',
      // the only keys that this server accepts
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      prefix: '',
      pathStyle: true,
    },
    async stop() {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** vitest's global setup of the project `objects`: every app that a test starts stores its files in an object store. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startObjectServer()
  project.provide('objectStore', server.settings)
  return () => server.stop()
}
