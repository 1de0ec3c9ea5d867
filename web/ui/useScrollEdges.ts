import { useEffect, useState, type RefObject } from 'react'

/** On which sides something has more than it shows. */
export type ScrollEdges = { before: boolean; after: boolean }

/** Whether a box that scrolls sideways goes on to the left and to the right, kept up to date. */
export function useScrollEdges(view: RefObject<HTMLElement | null>): ScrollEdges {
  const [before, setBefore] = useState(false)
  const [after, setAfter] = useState(false)
  useEffect(() => {
    const box = view.current
    if (!box) return undefined
    const look = () => {
      setBefore(box.scrollLeft > 1)
      setAfter(box.scrollLeft + box.clientWidth < box.scrollWidth - 1)
    }
    // what arrives later makes the content wider
    const resized = new ResizeObserver(look)
    for (const one of [box, ...box.children]) resized.observe(one)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [view])
  return { before, after }
}
