import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MEDIA_BEFORE_CHANNEL } from '#contract/constants.ts'
import type { importAsset } from '#contract/library.ts'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { kindOf } from './fileType.ts'
import { fitImage, type Fitted } from './image.ts'
import { cleanFile, inspectFile, type FileFacts } from './inspect.ts'
import { keepFile, keepPicture, type Alongside } from './keep.ts'
import { bytesTooMany, largestVideo } from './limits.ts'
import type { MediaStore } from './store.ts'
import type { UploadDesk } from './uploads.ts'

/** What a browser and the proxies before us wait for an answer. */
const DOWNLOAD = { timeoutMs: 110_000, redirects: 3 } as const
const KEPT = { types: ['image/jpeg', 'image/png'], bytes: MEDIA_BEFORE_CHANNEL.imageBytes } as const
const NOT_READ = 'No file could be read at this address.'

/** Who imports: a request, or a job that enters the tenant by itself. */
export type Importer = Pick<DetachedContext<typeof importAsset>, 'body' | 'inTenant'> & { org: { orgId: string } }
export type ImportParts = { fetch: SafeFetch; media: MediaStore; uploads: Pick<UploadDesk, 'folder'>; /** Ends the reading, as at a shutdown: its reason is thrown. */ signal?: AbortSignal }

/**
 * Takes a file from an address of the web through the safe fetch, from the socket to the disk; its bytes say what it is,
 * and what tells of its making is taken off. A picture of more than 5 MB is made to fit. Throws ADDRESS_REFUSED,
 * MEDIA_REFUSED, and UPLOAD_FAILED when nothing can be read there. Answers the new file's id; `alongside` is written by
 * the transaction that keeps it.
 */
export async function importFile(c: Importer, parts: ImportParts, alongside?: Alongside): Promise<string> {
  // among unfinished uploads: what a stop of the program leaves there is swept with them
  const path = join(parts.uploads.folder, `import-${randomUUID()}`)
  try {
    const address = await download(c, parts, path)
    const inspected = await inspectFile(path, '')
    if (inspected.kind === 'refused') throw fail('MEDIA_REFUSED', { detail: inspected.reason })
    const { size } = await stat(path)
    const tooMany = await c.inTenant((t) => bytesTooMany(t.tx, { orgId: t.org.orgId, projectId: t.project.projectId }, inspected.facts.contentType, size))
    if (tooMany !== undefined) throw fail('MEDIA_REFUSED', { detail: tooMany })
    return await keep(c, parts.media, { path, size, facts: inspected.facts, name: new URL(address).pathname.split('/').at(-1) ?? '' }, alongside)
  } finally {
    await rm(path, { force: true })
    await rm(`${path}.clean`, { force: true })
  }
}

/** Brings the bytes to `path`. Answers the address that they came from in the end. */
async function download(c: Importer, parts: ImportParts, path: string): Promise<string> {
  const maxBytes = await c.inTenant((t) => largestVideo(t.tx, { orgId: t.org.orgId, projectId: t.project.projectId }))
  const file = await open(path, 'wx')
  let broken: unknown
  // writeFile, because write may take a part only; it goes on where the last one ended
  const into = (chunk: Uint8Array) =>
    file.writeFile(chunk).catch((error: unknown) => {
      broken = error
      throw error
    })
  try {
    const answer = await parts.fetch(c.body.url, { ...DOWNLOAD, maxBytes, headers: { accept: 'image/*, video/*, application/pdf', 'accept-encoding': 'identity' }, into, ...(parts.signal && { signal: parts.signal }) })
    if (answer.kind !== 'answer' && answer.why === 'aborted') parts.signal?.throwIfAborted()
    // our disk's fault and not the address's
    if (broken !== undefined) throw fail('UPLOAD_FAILED', { cause: broken })
    if (answer.kind !== 'answer') {
      if (answer.why === 'address-refused') throw fail('ADDRESS_REFUSED')
      if (answer.why === 'too-large') throw fail('MEDIA_REFUSED', { detail: `The file at this address is larger than ${maxBytes / 1_000_000} MB.` })
      throw fail('UPLOAD_FAILED', { detail: NOT_READ })
    }
    if (answer.status !== 200) throw fail('UPLOAD_FAILED', { detail: NOT_READ })
    // a packed answer comes whole
    if (answer.body.length > 0) await into(answer.body)
    return answer.url
  } finally {
    await file.close()
  }
}

type Found = { path: string; size: number; facts: FileFacts; name: string }

async function keep(c: Importer, media: MediaStore, { path, size, facts, name }: Found, alongside: Alongside | undefined): Promise<string> {
  if (kindOf(facts.contentType) === 'image' && size > KEPT.bytes) return (await keepPicture(c, media, await fitted(path), { name }, alongside)).id
  const clean = await cleanFile(path, facts.contentType, size)
  return (await keepFile(c, media, (key) => media.take(key, clean.path), { ...facts, bytes: clean.bytes }, { name }, alongside)).id
}

async function fitted(path: string): Promise<Fitted> {
  const picture = await fitImage(await readFile(path), KEPT)
  if (!picture) throw fail('MEDIA_REFUSED', { detail: 'This picture cannot be made small enough.' })
  return picture
}
