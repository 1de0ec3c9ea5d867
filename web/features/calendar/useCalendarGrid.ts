import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import type { Day } from '#web/lib/dates.ts'
import { dragPosts } from './dragPosts.ts'
import { focusItem, onGridKey } from './gridKeys.ts'

export type GridEvents = {
  onOpen: (postId: string) => void
  /** Returns whether the move was started. */
  onMove: (postId: string, from: Day, to: Day) => boolean
  onMore: (day: Day) => void
  onCreate: (day: Day) => void
  onChoose: (day: Day) => void
  onStep: (by: 1 | -1) => void
  /** The day is on another page. */
  onLeave: (day: Day) => void
}

type Wanted = { day: Day; index?: number; postId?: string }

/**
 * What all grids of the calendar share: one listener per kind of event instead of one per post, dragging, keys, and the
 * one day that Tab reaches. Cells have `data-day`, posts `data-post` and `data-movable`.
 */
export function useCalendarGrid(
  days: readonly Day[],
  start: Day,
  rows: boolean,
  events: GridEvents,
): { root: RefObject<HTMLDivElement | null>; active: Day } {
  const root = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(start)
  const reachable = days.includes(active) ? active : days.includes(start) ? start : (days[0] ?? start)
  const wanted = useRef<Wanted>(undefined)

  const goTo = (day: Day, index?: number) => {
    wanted.current = index === undefined ? { day } : { day, index }
    setActive(day)
    if (days.includes(day)) focusWanted()
    else events.onLeave(day)
  }
  const focusWanted = () => {
    const { current: want } = wanted
    if (!want || !root.current) return
    if (want.postId) {
      const chip = root.current.querySelector<HTMLElement>(`[data-post="${want.postId}"]`)
      if (chip?.closest<HTMLElement>('[data-day]')?.dataset.day === want.day) {
        chip.focus()
        wanted.current = undefined
        return
      }
    }
    const cell = root.current.querySelector<HTMLElement>(`[data-day="${want.day}"]`)
    if (!cell) return
    if (want.index === undefined || !focusItem(cell, want.index)) cell.focus()
    // keep looking for a post that is moving to another day until it is there
    if (!want.postId) wanted.current = undefined
  }
  useLayoutEffect(focusWanted)

  const drop = useEffectEvent((postId: string, from: Day, to: Day) => void events.onMove(postId, from, to))
  const key = useEffectEvent((event: KeyboardEvent) =>
    onGridKey(event, {
      rows,
      goTo,
      step: events.onStep,
      choose: events.onChoose,
      move: (postId, from, to) => {
        if (!events.onMove(postId, from, to)) return
        wanted.current = { day: to, postId }
        setActive(to)
        if (!days.includes(to)) events.onLeave(to)
      },
    }),
  )
  const click = useEffectEvent((target: EventTarget | null) => {
    const at = target instanceof Element ? target : undefined
    const { post, more, add } = at?.closest<HTMLElement>('[data-post], [data-more], [data-add]')?.dataset ?? {}
    const day = dayAt(target)
    if (day) setActive(day)
    if (post) events.onOpen(post)
    else if (more) events.onMore(more)
    else if (add) events.onCreate(add)
    else if (day) events.onChoose(day)
  })
  const focus = useEffectEvent((target: EventTarget | null) => {
    const day = dayAt(target)
    if (!day) return
    setActive(day)
    // the person has moved on: a post that arrives later must not take the focus back
    if (wanted.current && wanted.current.day !== day) wanted.current = undefined
  })
  useEffect(() => {
    const { current: element } = root
    if (!element) return undefined
    const stop = dragPosts(element, (...drag) => drop(...drag))
    const aborter = new AbortController()
    element.addEventListener('keydown', (event) => key(event), aborter)
    element.addEventListener('click', (event) => click(event.target), aborter)
    element.addEventListener('focusin', (event) => focus(event.target), aborter)
    return () => {
      stop()
      aborter.abort()
    }
  }, [])
  return { root, active: reachable }
}

function dayAt(target: EventTarget | null): Day | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-day]')?.dataset.day : undefined
}
