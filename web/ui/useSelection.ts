import { useRef, useState } from 'react'

export type Selection = {
  /** The selected ones among the listed rows. */
  ids: readonly string[]
  has: (id: string) => boolean
  /** With `range`, everything between it and the previous one gets its state. */
  toggle: (id: string, checked: boolean, range?: boolean) => void
  /** These as well, such as when moving with Shift. */
  choose: (ids: readonly string[]) => void
  all: (checked: boolean) => void
  clear: () => void
}

/** The ids between two in the list's order, inclusive; only the second if one isn't listed. */
export function between(listed: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [a, b] = [from === undefined ? -1 : listed.indexOf(from), listed.indexOf(to)]
  return a < 0 || b < 0 ? [to] : listed.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** Which rows are selected. What leaves the list is deselected, so that nobody changes what they don't see. */
export function useSelection(listed: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set())
  const last = useRef<string>(undefined)
  const ids = listed.filter((id) => chosen.has(id))
  // what returns to the list, such as from another folder or page, isn't selected
  if (ids.length < chosen.size) setChosen(new Set(ids))
  const put = (changed: readonly string[], checked: boolean) =>
    setChosen(new Set(checked ? [...ids, ...changed] : ids.filter((id) => !changed.includes(id))))
  return {
    ids,
    has: (id) => chosen.has(id),
    toggle: (id, checked, range = false) => {
      put(between(listed, range ? last.current : undefined, id), checked)
      last.current = id
    },
    choose: (more) => {
      put(more, true)
      last.current = more.at(-1)
    },
    all: (checked) => put(listed, checked),
    clear: () => setChosen(new Set()),
  }
}
