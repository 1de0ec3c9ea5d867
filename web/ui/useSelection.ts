import { useRef, useState } from 'react'

export type Selection = {
  /** Those chosen among what is listed now. */
  ids: readonly string[]
  has: (id: string) => boolean
  /** With `range`, everything between it and the one before takes its state. */
  toggle: (id: string, checked: boolean, range?: boolean) => void
  /** These as well, as moving on with Shift does. */
  choose: (ids: readonly string[]) => void
  all: (checked: boolean) => void
  clear: () => void
}

/** The ids from one to the other in the order of the list, both included; only the other where one isn't listed. */
export function between(listed: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [a, b] = [from === undefined ? -1 : listed.indexOf(from), listed.indexOf(to)]
  return a < 0 || b < 0 ? [to] : listed.slice(Math.min(a, b), Math.max(a, b) + 1)
}

/** Which rows are chosen. What leaves the list is no longer chosen, so that nobody changes what they don't see. */
export function useSelection(listed: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set())
  const last = useRef<string>(undefined)
  const ids = listed.filter((id) => chosen.has(id))
  // what comes back to the list, as from another folder or page, comes back unchosen
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
