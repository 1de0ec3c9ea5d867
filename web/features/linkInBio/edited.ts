import { withScheme } from '#contract/linkInBio/links.ts'
import type { BioItem, BioItemBody, BioPage } from '#contract/linkInBio/pages.ts'
import { postLabel } from '#contract/linkInBio/postLabel.ts'

type Shared = Pick<BioItem, 'kind' | 'label' | 'url' | 'hidden' | 'starts' | 'ends'>
/** An item as it's edited. Its key is its own for as long as the editor is open, also once a new item gets its number. */
export type EditedItem = Shared & {
  /** Its post; null for a button. */
  post: BioItem['post']
  key: string
  /** Undefined until it's saved. */
  number: number | undefined
  /** The zone of its times. */
  zone: string
}
export type BioPost = NonNullable<BioItem['post']>

/** Everything of a page that's saved together. */
export type EditedPage = Pick<BioPage, 'name' | 'about' | 'theme' | 'live' | 'noindex'> & {
  picture: { assetId: string; url: string | null } | null
  buttons: readonly EditedItem[]
  posts: readonly EditedItem[]
}
export type ItemList = 'buttons' | 'posts'
export const listOf = ({ kind }: Pick<EditedItem, 'kind'>): ItemList => (kind === 'button' ? 'buttons' : 'posts')

/** A stored page as it's edited. Items that are known already keep their keys. */
export function editedOf(page: BioPage, zone: string, known: readonly EditedItem[] = []): EditedPage {
  const keys = new Map(known.map(({ key, number }) => [number, key]))
  const items = page.items.map((item): EditedItem => ({
    ...fieldsOf(item),
    number: item.number,
    post: item.post,
    zone: item.zone ?? zone,
    key: keys.get(item.number) ?? `n${item.number}`,
  }))
  return {
    name: page.name,
    about: page.about,
    theme: page.theme,
    live: page.live,
    noindex: page.noindex,
    picture: page.pictureAssetId === null ? null : { assetId: page.pictureAssetId, url: page.pictureUrl },
    buttons: items.filter(({ kind }) => kind === 'button'),
    posts: items.filter(({ kind }) => kind === 'post'),
  }
}

/** What both a stored and an edited item have. */
const fieldsOf = ({ kind, label, url, hidden, starts, ends }: Shared): Shared => ({
  kind,
  label,
  url,
  hidden,
  starts,
  ends,
})

export const itemsOf = ({ buttons, posts }: EditedPage): readonly EditedItem[] => [...buttons, ...posts]

/** A new button, or a post of the grid with the link that it leads to. */
export function newItem(key: string, zone: string, of: { post: BioPost; url: string } | undefined): EditedItem {
  const common = { key, number: undefined, hidden: false, starts: null, ends: null, zone }
  if (!of) return { ...common, kind: 'button', label: '', url: '', post: null }
  return { ...common, kind: 'post', label: postLabel(of.post.excerpt), ...of }
}

/** The items that are sent, in their order. A post that can't be shown here stays as it is, behind the others. */
export const sentOf = (page: EditedPage): readonly EditedItem[] =>
  itemsOf(page).filter(({ kind, post }) => kind === 'button' || post !== null)

/** The page with links as they're saved: https:// before those without a scheme. */
export function withSchemes(page: EditedPage): EditedPage {
  const whole = (items: readonly EditedItem[]) => items.map((item) => ({ ...item, url: withScheme(item.url) }))
  return { ...page, buttons: whole(page.buttons), posts: whole(page.posts) }
}

/** The items as the API has them, in the order in which they're shown, and the numbers of those that were removed. */
export function bodyItemsOf(saved: BioPage, edited: EditedPage): { items: BioItemBody[]; removed: number[] } {
  const kept = new Set(itemsOf(edited).map(({ number }) => number))
  return {
    items: sentOf(edited).map((item) => ({
      ...fieldsOf(item),
      zone: item.zone,
      ...(item.number === undefined ? {} : { number: item.number }),
      postId: item.post?.postId ?? null,
    })),
    removed: saved.items.map(({ number }) => number).filter((number) => !kept.has(number)),
  }
}

const partWords = {
  picture: 'picture',
  name: 'name',
  about: 'text',
  theme: 'theme',
  buttons: 'buttons',
  posts: 'posts',
  live: 'visibility',
  noindex: 'search engines',
} as const satisfies Record<keyof EditedPage, string>
// the keys of the object above
const parts = Object.keys(partWords) as (keyof EditedPage)[]

/** What differs between two states of a page. */
export const differences = (one: EditedPage, other: EditedPage): (keyof EditedPage)[] =>
  parts.filter((part) => textOf(one, part) !== textOf(other, part))

/** "name, buttons" */
export const wordsOf = (changed: readonly (keyof EditedPage)[]): string =>
  changed.map((part) => partWords[part]).join(', ')

export const sameItem = (one: EditedItem, other: EditedItem): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other))

/** What is stored of an item: keys are the editor's, and a post is known by its ID. */
const plain = (item: EditedItem) => ({
  ...fieldsOf(item),
  number: item.number,
  post: item.post?.postId,
  zone: item.starts || item.ends ? item.zone : null,
})

/** A part as text, by which states are compared. A picture's address is another one each time. */
function textOf(page: EditedPage, part: keyof EditedPage): string {
  if (part === 'buttons' || part === 'posts') return JSON.stringify(page[part].map(plain))
  return JSON.stringify(part === 'picture' ? page.picture?.assetId : page[part])
}
