import { isDeepStrictEqual } from 'node:util'
import type { BodyOf } from '#contract/endpoint.ts'
import { BIO } from '#contract/linkInBio/limits.ts'
import { isOwnRedirect } from '#contract/linkInBio/links.ts'
import type { saveBioPage } from '#contract/linkInBio/pages.ts'
import { instantOf, parseWallTime, wallText } from '#contract/time.ts'
import { fail } from '../errors.ts'
import type { CallerProject } from '../http/route.ts'
import { assetsById } from '../media/access.ts'
import { kindOf } from '../media/fileType.ts'
import { changePage, type Asker, type PageRow } from './access.ts'
import { mustSeePosts } from './choices.ts'
import { keepPictures } from './pictures.ts'

type Body = BodyOf<typeof saveBioPage>
type Item = Body['items'][number]
export type Changer = Asker & { project: Pick<CallerProject, 'projectId' | 'channelIds'> }
type Errors = Record<string, string[]>

/**
 * Saves a page as a whole, and returns its row. Items that aren't mentioned stay behind the others of their kind. Throws NOT_FOUND,
 * STALE_VERSION if someone else saved it since `version`, PLAN_LIMIT, and BAD_INPUT with everything that is wrong by field. `origins` are
 * the installation's own.
 */
export async function savePage(c: Changer, pageId: string, body: Body, origins: readonly string[]): Promise<PageRow> {
  const page = await changePage(c, pageId)
  if (page.version !== body.version) throw fail('STALE_VERSION', { meta: { version: page.version, fields: [] } })
  const before = await c.tx
    .selectFrom('bio_item')
    .selectAll()
    .where('org_id', '=', c.org.orgId)
    .where('page_id', '=', pageId)
    .orderBy('kind')
    .orderBy('position')
    .execute()
  const removed = new Set(body.removed)
  const items = withNumbers(body.items, before, removed)
  const mentioned = new Set(items.map(({ number }) => number))
  const left = before.filter(({ number }) => !removed.has(number) && !mentioned.has(number))
  const known = new Map(before.filter(({ number }) => !removed.has(number)).map((row) => [row.number, row]))
  const errors = {
    ...(await pictureErrors(c, body.pictureAssetId)),
    ...itemErrors(items, known, left, origins),
    ...countErrors(items, left),
  }
  if (Object.keys(errors).length > 0) throw fail('BAD_INPUT', { errors })
  const fresh = items.flatMap(({ postId, number }) =>
    postId !== null && known.get(number ?? 0)?.post_id !== postId ? [postId] : [],
  )
  await mustSeePosts(c, fresh)

  const pictures = new Map(before.map((row) => [row.post_id, row.picture_key]))
  let next = page.next_number
  const rows = [...items.map((item) => ({ ...columnsOf(item), number: item.number ?? next++ })), ...left].map(
    (row, position) => ({ ...row, org_id: c.org.orgId, page_id: pageId, position }),
  )
  await c.tx.deleteFrom('bio_item').where('org_id', '=', c.org.orgId).where('page_id', '=', pageId).execute()
  if (rows.length > 0)
    await c.tx
      .insertInto('bio_item')
      .values(rows.map((row) => ({ ...row, picture_key: pictures.get(row.post_id) ?? null })))
      .execute()
  const kept = new Set(rows.map(({ post_id: postId }) => postId))
  const gone = before.filter(({ post_id: postId }) => !kept.has(postId)).flatMap((row) => row.picture_key ?? [])
  if (fresh.length > 0 || gone.length > 0) await keepPictures(c, pageId, gone)
  return await c.tx
    .updateTable('bio_page')
    .set({
      name: body.name,
      about: body.about,
      picture_asset_id: body.pictureAssetId,
      theme: body.theme,
      live: body.live,
      noindex: body.noindex,
      next_number: next,
      version: page.version + 1,
      updated_at: c.now,
    })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', pageId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The names of the settings that a save changed, for the audit log. */
export const changedFields = (before: PageRow, after: PageRow): string[] =>
  (['name', 'about', 'picture_asset_id', 'theme', 'live', 'noindex'] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )

async function pictureErrors(c: Asker, assetId: string | null): Promise<Errors> {
  if (assetId === null) return {}
  // locked, so that it isn't swept at this moment
  await c.tx
    .selectFrom('asset')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', assetId)
    .forShare()
    .execute()
  const asset = (await assetsById(c, [assetId])).get(assetId)
  return asset?.state === 'ready' && kindOf(asset.content_type) === 'image'
    ? {}
    : { pictureAssetId: ['Choose a picture that is fully uploaded'] }
}

/** A new tile of a post that was put on the page meanwhile is that one. */
function withNumbers(items: readonly Item[], before: readonly Stored[], removed: ReadonlySet<number>): Item[] {
  const there = new Map(before.flatMap((row) => (removed.has(row.number) ? [] : [[row.post_id, row.number] as const])))
  const mentioned = new Set(items.map(({ number }) => number))
  return items.map((item) => {
    const number = item.number ?? (item.postId === null ? undefined : there.get(item.postId))
    return item.number !== undefined || number === undefined || mentioned.has(number) ? item : { ...item, number }
  })
}

type Stored = { number: number; kind: string; post_id: string | null }
type Known = ReadonlyMap<number, Stored>

function itemErrors(items: readonly Item[], known: Known, left: readonly Stored[], origins: readonly string[]): Errors {
  const errors: Errors = {}
  const say = (i: number, field: string, message: string) => void (errors[`items.${i}.${field}`] ??= []).push(message)
  const numbers = new Set<number>()
  const posts = new Set(left.map(({ post_id: postId }) => postId))
  for (const [i, item] of items.entries()) {
    const { number, postId, kind } = item
    const stored = number === undefined ? undefined : known.get(number)
    if (number !== undefined && (!stored || numbers.has(number))) say(i, 'number', 'This item no longer exists')
    if (stored && stored.kind !== kind) say(i, 'kind', "An item can't become another kind")
    if (number !== undefined) numbers.add(number)
    if ((kind === 'post') !== (postId !== null)) say(i, 'postId', 'Choose a post')
    if (postId !== null && posts.has(postId)) say(i, 'postId', 'This post is on the page already')
    if (postId !== null) posts.add(postId)
    if (isOwnRedirect(item.url, origins)) say(i, 'url', OWN_REDIRECT)
    const { starts_at: from, ends_at: until } = timesOf(item)
    if (from && until && from >= until) say(i, 'ends', 'The end is before the start')
  }
  return errors
}

export const OWN_REDIRECT =
  "This link leads on through Rookery, so visitors couldn't tell where it goes. Enter the final link."

function countErrors(items: readonly Item[], left: readonly { kind: string }[]): Errors {
  const count = (kind: string) => [...items, ...left].filter((item) => item.kind === kind).length
  const over =
    count('button') > BIO.buttons
      ? `A page has room for ${BIO.buttons} links`
      : count('post') > BIO.posts
        ? `A page has room for ${BIO.posts} posts`
        : undefined
  return over === undefined ? {} : { items: [over] }
}

function columnsOf(item: Item) {
  const { kind, label, url, hidden, postId } = item
  return { kind, label, url, hidden, post_id: postId, ...timesOf(item) }
}

/** Wall times are kept, and the instants worked out of them: a skipped time moves forward, a repeated one is the first. */
function timesOf({ starts, ends, zone }: Item) {
  const [from, until] = [starts, ends].map((moment) => moment && parseWallTime(moment.date, moment.time))
  return {
    zone: from || until ? zone : null,
    starts_wall: from ? wallText(from) : null,
    ends_wall: until ? wallText(until) : null,
    starts_at: from ? instantOf(from, zone) : null,
    ends_at: until ? instantOf(until, zone) : null,
  }
}
