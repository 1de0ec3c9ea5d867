import { MEDIA_BEFORE_CHANNEL } from '#contract/constants.ts'
import type { importAsset } from '#contract/library.ts'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { fitImage, inspectImage, type Fitted } from './image.ts'
import { keepPicture, type Alongside } from './keep.ts'
import { cleanPicture } from './metadata.ts'
import type { MediaStore } from './store.ts'

const DOWNLOAD = { maxBytes: 20_000_000, timeoutMs: 20_000, redirects: 3 } as const
const KEPT = { types: ['image/jpeg', 'image/png'], bytes: MEDIA_BEFORE_CHANNEL.imageBytes } as const
const NOT_READ = 'No file could be read at this address.'

/** Who imports: a request, or a job that enters the tenant by itself. */
export type Importer = Pick<DetachedContext<typeof importAsset>, 'body' | 'inTenant'> & { org: { orgId: string } }

/**
 * Takes a picture from an address of the web through the safe fetch; its bytes say what it is, and its metadata is taken
 * off. What is larger than an upload may be is made to fit. Throws ADDRESS_REFUSED, MEDIA_REFUSED, and UPLOAD_FAILED
 * when nothing can be read there. Answers the new file's id; `alongside` is written by the transaction that keeps it.
 */
export async function importFile(c: Importer, parts: { fetch: SafeFetch; media: MediaStore }, alongside?: Alongside): Promise<string> {
  const answer = await parts.fetch(c.body.url, { ...DOWNLOAD, headers: { accept: 'image/*', 'accept-encoding': 'identity' } })
  if (answer.kind !== 'answer') {
    if (answer.why === 'address-refused') throw fail('ADDRESS_REFUSED')
    if (answer.why === 'too-large') throw fail('MEDIA_REFUSED', { detail: `The file at this address is larger than ${DOWNLOAD.maxBytes / 1_000_000} MB.` })
    throw fail('UPLOAD_FAILED', { detail: NOT_READ })
  }
  if (answer.status !== 200) throw fail('UPLOAD_FAILED', { detail: NOT_READ })
  const picture = await pictureOf(answer.body)
  const asset = await keepPicture(c, parts.media, picture, { name: new URL(answer.url).pathname.split('/').at(-1) ?? '' }, alongside)
  return asset.id
}

async function pictureOf(body: Uint8Array): Promise<Fitted> {
  const inspected = await inspectImage(body)
  if (inspected.kind === 'refused') throw fail('MEDIA_REFUSED', { detail: inspected.reason })
  if (body.length <= KEPT.bytes) return { ...inspected.facts, bytes: await cleanPicture(Buffer.from(body), inspected.facts.contentType) }
  const fitted = await fitImage(body, KEPT)
  if (!fitted) throw fail('MEDIA_REFUSED', { detail: 'This picture cannot be made small enough.' })
  return fitted
}
