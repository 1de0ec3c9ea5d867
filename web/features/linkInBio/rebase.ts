import { differences, sameItem, type EditedItem, type EditedPage } from './edited.ts'

/**
 * What someone edited, put onto a page that was saved elsewhere meanwhile: what they changed since `base` stays, the rest is as it was
 * saved there. Nothing that was typed gets lost: an item removed there but changed here becomes a new one.
 */
export function rebase(base: EditedPage, mine: EditedPage, theirs: EditedPage): EditedPage {
  const changed = new Set(differences(base, mine))
  const pick = <K extends keyof EditedPage>(part: K) => (changed.has(part) ? mine : theirs)[part]
  return {
    name: pick('name'),
    about: pick('about'),
    picture: pick('picture'),
    theme: pick('theme'),
    live: pick('live'),
    noindex: pick('noindex'),
    buttons: rebaseItems(base.buttons, mine.buttons, theirs.buttons),
    posts: rebaseItems(base.posts, mine.posts, theirs.posts),
  }
}

type Items = readonly EditedItem[]
const keyOf = ({ key }: EditedItem) => key
const byKey = (items: Items) => new Map(items.map((item) => [item.key, item]))

function rebaseItems(base: Items, mine: Items, theirs: Items): Items {
  const [before, here, there] = [byKey(base), byKey(mine), byKey(theirs)]
  const isChanged = (item: EditedItem) => {
    const was = before.get(item.key)
    return was === undefined || !sameItem(was, item)
  }
  // what either of them removed is gone, unless it was changed here
  const wanted = new Map<string, EditedItem>()
  for (const item of theirs) {
    const own = here.get(item.key)
    if (own) wanted.set(item.key, isChanged(own) ? own : item)
    else if (!before.has(item.key)) wanted.set(item.key, item)
  }
  const shown = new Set(theirs.flatMap(({ post }) => post?.postId ?? []))
  for (const item of mine) {
    if (there.has(item.key) || !isChanged(item)) continue
    // both added the same post
    if (item.post && shown.has(item.post.postId)) continue
    wanted.set(item.key, { ...item, number: undefined })
  }
  // the order of who changed it; what the other one added keeps its neighbor
  const common = (items: Items) => items.map(keyOf).filter((key) => before.has(key) && here.has(key))
  const isSorted = common(base).join('\n') !== common(mine).join('\n')
  const [first, second] = isSorted ? [mine, theirs] : [theirs, mine]
  return merged(first.map(keyOf), second.map(keyOf)).flatMap((key) => wanted.get(key) ?? [])
}

/** The first list, and what only the second one has behind what it follows there. */
function merged(first: readonly string[], second: readonly string[]): string[] {
  const list = [...first]
  second.forEach((key, i) => {
    if (list.includes(key)) return
    const before = second[i - 1]
    list.splice(before === undefined ? 0 : list.indexOf(before) + 1, 0, key)
  })
  return list
}
