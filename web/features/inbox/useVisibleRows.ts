import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

/** Rows that are drawn beyond the window's edges, so that scrolling shows no gap. */
const SPARE = 8

/** The height of rows in pixels, from that in rem, since people choose the size of text. */
export const pixelsOf = (rem: number): number =>
  rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/**
 * Which of the equally high rows of a list are in the window: from `first` up to and without `last`. A list whose rows
 * above the window become more or fewer stays where it is on screen.
 */
export function useVisibleRows(
  list: RefObject<HTMLElement | null>,
  keys: readonly string[],
  height: number,
): { first: number; last: number } {
  const [range, setRange] = useState({ first: 0, last: 24 })
  const length = keys.length
  useLayoutEffect(() => {
    const measure = () => {
      if (!list.current) return
      const { top } = list.current.getBoundingClientRect()
      const first = Math.max(0, Math.floor(-top / height) - SPARE)
      const last = Math.min(length, Math.ceil((window.innerHeight - top) / height) + SPARE)
      setRange((before) => (before.first === first && before.last === last ? before : { first, last }))
    }
    measure()
    const until = new AbortController()
    // captured, for whatever scrolls: the list's own pane or the page
    document.addEventListener('scroll', measure, { signal: until.signal, capture: true, passive: true })
    window.addEventListener('resize', measure, { signal: until.signal })
    return () => until.abort()
  }, [list, length, height])

  const before = useRef(keys)
  useLayoutEffect(() => {
    const known = before.current
    before.current = keys
    const scroller = list.current && scrollerOf(list.current)
    if (!list.current || !scroller || known === keys) return
    const edge = scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top
    const hidden = edge - list.current.getBoundingClientRect().top
    if (hidden <= 0) return
    const topmost = known[Math.floor(hidden / height)]
    const [was, is] = topmost === undefined ? [-1, -1] : [known.indexOf(topmost), keys.indexOf(topmost)]
    if (was >= 0 && is >= 0 && was !== is) scroller.scrollBy({ top: (is - was) * height, behavior: 'instant' })
  }, [list, keys, height])
  return range
}

/** What scrolls the element: the nearest around it that does, or the page. */
export function scrollerOf(element: HTMLElement): Element | null {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const { overflowY } = getComputedStyle(around)
    if ((overflowY === 'auto' || overflowY === 'scroll') && around.scrollHeight > around.clientHeight) return around
  }
  return document.scrollingElement
}
