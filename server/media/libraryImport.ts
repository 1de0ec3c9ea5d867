import { randomUUID } from 'node:crypto'
import { open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MEDIA_BEFORE_CHANNEL } from '#contract/constants.ts'
import type { importAsset } from '#contract/library.ts'
import { problem } from '#contract/postProblems.ts'
import { asTenant } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import { abortOnDisconnect } from '../http/abortOnDisconnect.ts'
import type { DetachedContext } from '../http/route.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { kindOf } from './fileType.ts'
import { fitImage, type Fitted } from './fitImage.ts'
import { cleanFile, inspectFile, type FileFacts } from './inspect.ts'
import { keepFile, keepPicture, type Alongside } from './keep.ts'
import { beginImport, bytesTooMany, endImport, largestVideo } from './limits.ts'
import { mediaRefused } from './refused.ts'
import type { MediaStore } from './store.ts'
import { mustHaveRoom, type UploadContext } from './uploads.ts'

/** How long a browser and the proxies in front of us wait for a response. */
const DOWNLOAD = { timeoutMs: 110_000, redirects: 3 } as const
const KEPT = { types: ['image/jpeg', 'image/png'], bytes: MEDIA_BEFORE_CHANNEL.imageBytes } as const

/** Who imports: a request, or a job that enters the tenant itself. */
export type Importer = Pick<DetachedContext<typeof importAsset>, 'body' | 'inTenant'> & {
  org: { orgId: string }
  /** A person is waiting. */ waitedFor?: boolean
}
export type ImportDeps = {
  fetch: SafeFetch
  media: MediaStore
  uploads: Pick<UploadContext, 'folder' | 'databases' | 'clock' | 'log' | 'hasRoom'>
  /** Cancels the import, as at a shutdown: its reason is thrown. */ signal?: AbortSignal
}

/** The import of a request: it's canceled when the caller disconnects, and leaves nothing then. */
export const importAsked = (c: DetachedContext<typeof importAsset>, deps: ImportDeps): Promise<string> =>
  abortOnDisconnect(
    c.request,
    () => fail('UPLOAD_FAILED', { detail: 'The import was stopped.' }),
    (signal) => importFile({ ...c, waitedFor: true }, { ...deps, signal }),
  )

/**
 * Imports a file from a URL through the safe fetch, from the socket to the disk. Its bytes say what it is, and its
 * metadata is removed. If nobody waits, a still image of more than 5 MB is made to fit. Throws ADDRESS_REFUSED,
 * ADDRESS_UNREADABLE if nothing can be read there, MEDIA_REFUSED, LIMIT_EXCEEDED (see beginImport), and UPLOAD_FAILED
 * if our disk is full. Returns the new file's id; `alongside` is written by the same transaction.
 */
export async function importFile(c: Importer, deps: ImportDeps, alongside?: Alongside): Promise<string> {
  // among unfinished uploads: what a stopped process leaves there is swept with them
  const path = join(deps.uploads.folder, `import-${randomUUID()}`)
  const { noted, maxBytes } = await c.inTenant(async ({ tx, org: { orgId }, project: { projectId }, now }) => ({
    noted: await beginImport(tx, { orgId, projectId }, now, { waitedFor: c.waitedFor === true }),
    maxBytes: await largestVideo(tx, { orgId, projectId }),
  }))
  const came = { bytes: 0 }
  try {
    await mustHaveRoom(deps.uploads, 0)
    const address = await download(c.body.url, deps, { path, maxBytes, came })
    const inspected = await inspectFile(path, '', c.org.orgId)
    if (inspected.kind === 'refused')
      throw (await isPage(path))
        ? fail('MEDIA_REFUSED', { problem: problem('link-to-page') })
        : mediaRefused(inspected.problem)
    const { size } = await stat(path)
    const tooMany = await c.inTenant((t) =>
      bytesTooMany(t.tx, { orgId: t.org.orgId, projectId: t.project.projectId }, inspected.facts.contentType, size),
    )
    if (tooMany !== undefined) throw mediaRefused(tooMany)
    deps.signal?.throwIfAborted()
    return await keep(
      c,
      deps.media,
      { path, size, facts: inspected.facts, name: new URL(address).pathname.split('/').at(-1) ?? '' },
      alongside,
    )
  } finally {
    await rm(path, { force: true })
    await rm(`${path}.clean`, { force: true })
    const { databases, clock, log } = deps.uploads
    await asTenant(databases.background, c.org.orgId, (tx) =>
      endImport(tx, c.org.orgId, noted, came.bytes, clock.now()),
    ).catch((error: unknown) => log.warn({ err: error }, "the end of an import couldn't be recorded"))
  }
}

/** Whether a file is an HTML page, by how it begins: servers answer with one to whom they don't give the file. */
async function isPage(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
    const beginning = buffer
      .toString('latin1', 0, bytesRead)
      .replace(/^(?:\xef\xbb\xbf)?(?:\s|<!--[^]*?-->|<\?xml[^>]*>)*/, '')
    return /^<(?:!doctype html|html|head|body|script|meta|title)\b/i.test(beginning)
  } finally {
    await file.close()
  }
}
const BEGINNING = 4096

/** Downloads the bytes to `path` and counts them in `came`. Returns the final URL. */
async function download(
  url: string,
  deps: ImportDeps,
  { path, maxBytes, came }: { path: string; maxBytes: number; came: { bytes: number } },
): Promise<string> {
  const file = await open(path, 'wx')
  let broken: unknown
  // writeFile, because write may only take a part; it continues where the last one ended
  const into = (chunk: Uint8Array) => {
    came.bytes += chunk.length
    return file.writeFile(chunk).catch((error: unknown) => {
      broken = error
      throw error
    })
  }
  try {
    const answer = await deps.fetch(url, {
      ...DOWNLOAD,
      maxBytes,
      headers: { accept: 'image/*, video/*, application/pdf', 'accept-encoding': 'identity' },
      into,
      ...(deps.signal && { signal: deps.signal }),
    })
    if (answer.kind !== 'answer' && answer.why === 'aborted') deps.signal?.throwIfAborted()
    // our disk's fault, not the URL's
    if (broken !== undefined) throw fail('UPLOAD_FAILED', { cause: broken })
    if (answer.kind !== 'answer') {
      if (answer.why === 'address-refused') throw fail('ADDRESS_REFUSED')
      if (answer.why === 'too-large')
        throw fail('MEDIA_REFUSED', { problem: problem('link-too-large', { bytes: maxBytes }) })
      throw fail('ADDRESS_UNREADABLE')
    }
    if (answer.status !== 200) throw fail('ADDRESS_UNREADABLE')
    // a compressed response arrives as a whole
    if (answer.body.length > 0) await into(answer.body)
    return answer.url
  } finally {
    await file.close()
  }
}

type Found = { path: string; size: number; facts: FileFacts; name: string }

async function keep(
  c: Importer,
  media: MediaStore,
  { path, size, facts, name }: Found,
  alongside: Alongside | undefined,
): Promise<string> {
  // no person waits to choose a smaller copy; animations would lose their motion
  if (kindOf(facts.contentType) === 'image' && facts.contentType !== 'image/gif' && size > KEPT.bytes && !c.waitedFor)
    return (await keepPicture(c, media, await fitted(path), { name }, alongside)).id
  const clean = await cleanFile(path, { facts, bytes: size }, c.org.orgId)
  return (await keepFile(c, media, (key) => media.take(key, clean.path), clean.facts, { name }, alongside)).id
}

async function fitted(path: string): Promise<Fitted> {
  const picture = await fitImage(() => readFile(path), KEPT)
  if (!picture) throw fail('MEDIA_REFUSED', { problem: problem('image-not-small-enough') })
  return picture
}
