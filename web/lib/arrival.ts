import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/**
 * Scrolls the section of the element into view and focuses the element if the URL's anchor is `id`, and keeps it there while content
 * above it is loading. Without a section around it, it's the element itself.
 */
export function useArrival<T extends HTMLElement>(id: string) {
  const heading = useRef<T>(null)
  const named = useLocation({ select: (location) => location.hash === id })
  useEffect(() => {
    const target = heading.current
    const section = target?.closest('section') ?? target
    if (!named || !target || !section?.parentElement) return undefined
    target.focus({ preventScroll: true })
    const observer = new ResizeObserver(() => section.scrollIntoView({ block: 'start' }))
    observer.observe(section.parentElement)
    // people who scrolled on aren't pulled back
    const stop = new AbortController()
    const letGo = () => {
      observer.disconnect()
      stop.abort()
    }
    for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
      window.addEventListener(event, letGo, { passive: true, signal: stop.signal })
    return letGo
  }, [named])
  return heading
}
