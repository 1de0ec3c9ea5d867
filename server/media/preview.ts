import { Readable } from 'node:stream'
import { PREVIEW_SIDE, type readPostCover, type readPreview } from '#contract/media.ts'
import { PostContent } from '#contract/content.ts'
import { fail } from '../errors.ts'
import type { Bytes, Context, ProjectContext } from '../http/route.ts'
import { assetsById, loadAsset, type AssetRow } from './access.ts'
import { kindOf } from './fileType.ts'
import { smallCopy } from './image.ts'
import { previewKeyOf, type MediaStore } from './store.ts'
import { fairQueue } from './fairQueue.ts'

/** A small preview of one file. NOT_FOUND if there is none: a document, a video without a thumbnail. */
export async function sendPreview(c: Context<typeof readPreview>, store: MediaStore): Promise<Bytes> {
  return previewOf(await loadAsset(c, c.params.assetId), store)
}

/** The post with this id, for a caller who can see it; throws NOT_FOUND for others (posts/access.ts). */
export type FindPost = (c: ProjectContext, postId: string) => Promise<{ contents: unknown }>

/**
 * A small preview of a post's first file that has one; 204 for a post without, because lists ask for those as well.
 * NOT_FOUND for a post outside the caller's channels.
 */
export async function sendCover(
  c: Context<typeof readPostCover>,
  store: MediaStore,
  findPost: FindPost,
): Promise<Bytes> {
  const post = await findPost(c, c.params.postId)
  const ids = filesOf(post.contents)
  const shown = coverAmong(ids, await assetsById(c, ids))
  if (!shown)
    return { status: 204, bytes: Buffer.alloc(0), contentType: 'image/webp', headers: { 'cache-control': 'no-store' } }
  return previewOf(shown, store)
}

/** The IDs of a post's files, in their order. */
const filesOf = (contents: unknown): string[] =>
  PostContent.array()
    .parse(contents)
    .flatMap(({ media }) => media.map(({ assetId }) => assetId))

/** The first of the files that has an image. */
const coverAmong = (ids: readonly string[], assets: ReadonlyMap<string, AssetRow>): AssetRow | undefined =>
  ids.flatMap((id) => assets.get(id) ?? []).find((asset) => pictureOf(asset) !== undefined)

/** The keys of the images that stand for posts, by what each post contains; undefined for one without. For callers who see them. */
export async function coverKeys(
  c: Parameters<typeof assetsById>[0],
  posts: readonly unknown[],
): Promise<(string | undefined)[]> {
  const files = posts.map(filesOf)
  const assets = await assetsById(c, files.flat())
  return files.map((ids) => {
    const shown = coverAmong(ids, assets)
    return shown && pictureOf(shown)
  })
}

/** The small preview of an image, which is drawn the first time. Throws if the file is gone. */
export const readSmall = async (picture: Picture, store: MediaStore): Promise<Uint8Array> =>
  await store.read(previewKeyOf(picture.key)).catch(() => drawn(picture, store))

/** The key of the image that represents a file. */
export const pictureOf = (
  asset: Pick<AssetRow, 'state' | 'content_type' | 'store_key' | 'thumbnail_key'>,
): string | undefined =>
  asset.state !== 'ready'
    ? undefined
    : kindOf(asset.content_type) === 'image'
      ? asset.store_key
      : (asset.thumbnail_key ?? undefined)

function previewOf(asset: AssetRow | undefined, store: MediaStore): Bytes {
  const key = asset && pictureOf(asset)
  if (!asset || key === undefined) throw fail('NOT_FOUND')
  return {
    // read once the response is on its way: drawing takes time, and no transaction is open by then
    bytes: Readable.from(kept({ key, orgId: asset.org_id }, store), { objectMode: false }),
    contentType: 'image/webp',
    headers: {
      'content-disposition': 'inline; filename="preview.webp"',
      'cache-control': FOR_EVER,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    },
  }
}

/** Files never change, and the URLs of what can change contain what it's of. */
const FOR_EVER = 'private, max-age=31536000, immutable'

type Picture = { key: string; orgId: string }

async function* kept(picture: Picture, store: MediaStore): AsyncGenerator<Uint8Array> {
  yield await readSmall(picture, store)
}

/** Previews being drawn: a page of tiles may request one several times. */
const drawing = new Map<string, Promise<Uint8Array>>()
/**
 * One preview at a time waits among all drawing work, and organizations take turns. Lines have no limit, because each
 * preview is drawn once.
 */
const inTurn = fairQueue(Infinity)

function drawn({ key, orgId }: Picture, store: MediaStore): Promise<Uint8Array> {
  const begun = drawing.get(key)
  if (begun) return begun
  const work = inTurn(orgId, () => draw(key, store)).finally(() => drawing.delete(key))
  drawing.set(key, work)
  return work
}

async function draw(key: string, store: MediaStore): Promise<Uint8Array> {
  const small = await smallCopy(() => store.read(key), PREVIEW_SIDE)
  await store.put(previewKeyOf(key), small)
  return small
}
