import { useEffect, useState, type RefObject } from 'react'

/** On which sides something has more than it shows. */
export type ScrollEdges = { before: boolean; after: boolean }

/** Whether a box that scrolls sideways goes on to the left and to the right, kept up to date. */
export function useScrollEdges(view: RefObject<HTMLElement | null>): ScrollEdges {
  const [more, setMore] = useState<ScrollEdges>({ before: false, after: false })
  useEffect(() => {
    const box = view.current
    if (!box) return undefined
    const look = () => {
      const [before, after] = [box.scrollLeft > 1, box.scrollLeft + box.clientWidth < box.scrollWidth - 1]
      setMore((now) => (now.before === before && now.after === after ? now : { before, after }))
    }
    // what arrives later makes the content wider
    const resized = new ResizeObserver(look)
    resized.observe(box)
    if (box.firstElementChild) resized.observe(box.firstElementChild)
    const added = new MutationObserver(look)
    added.observe(box, { childList: true })
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      added.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [view])
  return more
}
