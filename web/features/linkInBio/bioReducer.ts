import { BIO } from '#contract/linkInBio/limits.ts'
import type { BioPage } from '#contract/linkInBio/pages.ts'
import { moved } from '#web/ui/useRowOrder.ts'
import {
  differences,
  editedOf,
  itemsOf,
  listOf,
  newItem,
  sentOf,
  type BioPost,
  type EditedItem,
  type EditedPage,
  type ItemList,
} from './edited.ts'
import { rebase } from './rebase.ts'

export type BioState = {
  /** The page as the server has it, as far as the edits know. */
  saved: BioPage
  /** The same as it's edited. */
  base: EditedPage
  edited: EditedPage
  /** Saved elsewhere while there were edits: someone has to choose. */
  newer: BioPage | undefined
  /** The project's zone, for new items. */
  zone: string
  /** How many items were added, for their keys. */
  added: number
}

type Scalars = Omit<EditedPage, ItemList>
type EditAction =
  | { type: 'changed'; part: Partial<Scalars> }
  | { type: 'itemChanged'; key: string; part: Partial<Omit<EditedItem, 'key' | 'number' | 'kind' | 'post'>> }
  | { type: 'buttonAdded' }
  | { type: 'postsAdded'; posts: readonly { post: BioPost; url: string }[] }
  | { type: 'itemMoved'; list: ItemList; from: number; to: number }
  | { type: 'itemRemoved'; key: string }
  | { type: 'itemRestored'; item: EditedItem; at: number }
export type BioAction =
  | EditAction
  | { type: 'discarded' }
  | { type: 'restored'; edited: EditedPage }
  /** The server's page was read again. */
  | { type: 'read'; page: BioPage }
  /** Its address changed. */
  | { type: 'renamed'; page: BioPage }
  /** `sent` was stored as this page. */
  | { type: 'saved'; page: BioPage; sent: EditedPage }
  | { type: 'mineKept' }
  | { type: 'theirsTaken' }

export function startOf(page: BioPage, zone: string): BioState {
  const base = editedOf(page, zone)
  return { saved: page, base, edited: base, newer: undefined, zone, added: 0 }
}

export const isEdited = ({ base, edited }: BioState): boolean => base !== edited && differences(base, edited).length > 0

/** What happens to a page while someone edits it. Pure. */
export function bioReducer(state: BioState, action: BioAction): BioState {
  switch (action.type) {
    case 'discarded':
      return { ...state, edited: state.base }
    case 'restored':
      return { ...state, edited: knownTo(state.saved, action.edited) }
    case 'renamed':
      return onto(state, action.page)
    case 'read':
      return read(state, action.page)
    case 'saved':
      return settled(state, action.page, action.sent)
    case 'mineKept':
      return state.newer ? onto(state, state.newer) : state
    case 'theirsTaken':
      return state.newer ? onto({ ...state, edited: state.base }, state.newer) : state
    case 'changed':
    case 'itemChanged':
    case 'buttonAdded':
    case 'postsAdded':
    case 'itemMoved':
    case 'itemRemoved':
    case 'itemRestored':
    default:
      return edited(state, action)
  }
}

/** What someone edits. */
function edited(state: BioState, action: EditAction): BioState {
  const { edited: page, zone } = state
  const edit = (part: Partial<EditedPage>): BioState => ({ ...state, edited: { ...page, ...part } })
  switch (action.type) {
    case 'itemChanged':
      return edit(
        eachList(page, (items) => items.map((item) => (item.key === action.key ? { ...item, ...action.part } : item))),
      )
    case 'buttonAdded': {
      if (page.buttons.length >= BIO.buttons) return state
      const button = newItem(`new-${state.added}`, zone, undefined)
      return { ...edit({ buttons: [...page.buttons, button] }), added: state.added + 1 }
    }
    case 'postsAdded': {
      const has = new Set(page.posts.map(({ post }) => post?.postId))
      const fresh = action.posts.filter(({ post }) => !has.has(post.postId)).slice(0, BIO.posts - page.posts.length)
      const posts = fresh.map((of, i) => newItem(`new-${state.added + i}`, zone, of))
      return { ...edit({ posts: [...posts, ...page.posts] }), added: state.added + posts.length }
    }
    case 'itemMoved':
      return edit({ [action.list]: moved(page[action.list], action.from, action.to) })
    case 'itemRemoved':
      return edit(eachList(page, (items) => items.filter(({ key }) => key !== action.key)))
    case 'itemRestored': {
      if (itemsOf(page).some(({ key }) => key === action.item.key)) return state
      const list = listOf(action.item)
      return edit({ [list]: page[list].toSpliced(action.at, 0, action.item) })
    }
    case 'changed':
    default:
      return edit(action.part)
  }
}

const eachList = (page: EditedPage, change: (items: readonly EditedItem[]) => readonly EditedItem[]) => ({
  buttons: change(page.buttons),
  posts: change(page.posts),
})

/** What isn't on the server anymore becomes new. */
function knownTo({ items: stored }: BioPage, page: EditedPage): EditedPage {
  const there = new Set(stored.map(({ number }) => number))
  const known = (item: EditedItem) =>
    item.number === undefined || there.has(item.number) ? item : { ...item, number: undefined }
  return { ...page, ...eachList(page, (items) => items.map(known)) }
}

/** Edits put onto another stored state of the page. */
function onto(state: BioState, page: BioPage): BioState {
  const theirs = editedOf(page, state.zone, itemsOf(state.base))
  const edited = isEdited(state) ? rebase(state.base, state.edited, theirs) : theirs
  return { ...state, saved: page, base: theirs, edited, newer: undefined }
}

/** What isn't edited follows the server. What was saved elsewhere waits if there are edits; a post that was only added doesn't. */
function read(state: BioState, page: BioPage): BioState {
  // a read that began before the last save
  if (page.version < state.saved.version) return state
  if (page.version === state.saved.version || !isEdited(state)) return onto(state, page)
  return { ...state, newer: page }
}

/** New items got their numbers. What was typed since it was sent stays. */
function settled(state: BioState, page: BioPage, sent: EditedPage): BioState {
  const numbers = new Map<string, number>()
  for (const list of ['buttons', 'posts'] as const) {
    const stored = page.items.filter((item) => listOf(item) === list)
    const own = sentOf(sent).filter((item) => listOf(item) === list)
    own.forEach(({ key }, i) => {
      const number = stored[i]?.number
      if (number !== undefined) numbers.set(key, number)
    })
  }
  const numbered = (of: EditedPage): EditedPage => ({
    ...of,
    ...eachList(of, (items) => items.map((item) => ({ ...item, number: numbers.get(item.key) ?? item.number }))),
  })
  const base = numbered(sent)
  return onto({ ...state, base, edited: state.edited === sent ? base : numbered(state.edited) }, page)
}
