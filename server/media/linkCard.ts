import type { LinkCard, readLinkCard as endpoint } from '#contract/media.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { DetachedContext } from '../http/route.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'
import { readLinkCard } from '../platforms/linkCard.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { fitImage } from './fitImage.ts'
import { inspectImage } from './image.ts'
import { keepPicture } from './keep.ts'
import type { MediaStore } from './store.ts'

const PICTURE = {
  download: 5_000_000,
  timeoutMs: 10_000,
  limits: { types: ['image/jpeg', 'image/png'], bytes: 1_000_000 },
} as const

/** Pages a person can have read: each is a request to a server of their choice, and may leave a file. */
const cards = { name: 'link-cards', most: 300, seconds: 3600 } as const satisfies Limit

/**
 * A page's card: title, description and image, which becomes an unlisted file of the project (JPEG or PNG, at most 1
 * MB). Throws RATE_LIMITED, LIMIT_EXCEEDED if too many images of the organization wait, and ADDRESS_REFUSED for a
 * private address; a page without a title, or one that can't be read now, gets its host as title.
 */
export async function linkCard(
  c: DetachedContext<typeof endpoint>,
  parts: { fetch: SafeFetch; media: MediaStore; databases: Pick<Databases, 'system'> },
): Promise<LinkCard> {
  assertWithinLimit(await asSystem(parts.databases.system, (tx) => count(tx, cards, c.caller.personId, c.now)))
  const uri = c.body.url
  const page = await readLinkCard(parts.fetch, uri)
  if (page.kind === 'refused') throw fail('ADDRESS_REFUSED')
  const { title, description, imageUrl } = page.kind === 'read' ? page : { title: '', description: '', imageUrl: null }
  const picture = imageUrl ? await pictureOf(parts.fetch, imageUrl, c.org.orgId) : undefined
  const asset = picture ? await keepPicture(c, parts.media, picture, { name: 'link-card', unlisted: true }) : undefined
  return { uri, title: title || new URL(uri).host, description, imageAssetId: asset?.id ?? null }
}

/** A card without its image is still a card: an unusable image is left out. */
async function pictureOf(fetch: SafeFetch, url: string, orgId: string) {
  const answer = await fetch(url, { timeoutMs: PICTURE.timeoutMs, maxBytes: PICTURE.download, redirects: 3 })
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined
  const inspected = await inspectImage(answer.body, orgId)
  if (inspected.kind === 'refused') return undefined
  const isFit =
    answer.body.length <= PICTURE.limits.bytes &&
    PICTURE.limits.types.some((type) => type === inspected.facts.contentType)
  return isFit ? { ...inspected.facts, bytes: answer.body } : await fitImage(answer.body, PICTURE.limits, orgId)
}
