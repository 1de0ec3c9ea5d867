import { useEffect, useMemo, useRef } from 'react'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import type { Selection } from '#web/ui/useSelection.ts'
import { ConversationRow, ROW_HEIGHT } from './ConversationRow.tsx'
import type { ConversationRow as Row } from './heldConversations.ts'
import { pixelsOf, scrollerOf, useVisibleRows } from './useVisibleRows.ts'

/** So many rows before the end of what was read, the next page is asked for. */
const AHEAD = 80

type Props = {
  rows: readonly Row[]
  openId: string | undefined
  selection: Selection
  /** There are more than these. */
  more: boolean
  onMore: () => void
  /** So many rows are drawn or above. */
  onSeen: (rows: number) => void
  onOpen: (conversationId: string) => void
  /** What tells channels of the same name apart. */
  apart: ReadonlyMap<string, string>
}

/** Conversations, however many: only those in the window are drawn, and the next ones are read before they're reached. */
export function ConversationList({ rows, openId, selection, more, onMore, onSeen, onOpen, apart }: Props) {
  const now = useNow()
  const zone = useProjectZone()
  const list = useRef<HTMLUListElement>(null)
  const height = useMemo(() => pixelsOf(ROW_HEIGHT), [])
  const keys = useMemo(() => rows.map((row) => row.conversationId), [rows])
  const { first, last } = useVisibleRows(list, keys, height)
  const isNearEnd = more && last + AHEAD >= rows.length
  useEffect(() => {
    if (isNearEnd) onMore()
  }, [isNearEnd, rows.length, onMore])
  useEffect(() => onSeen(last), [last, onSeen])
  const openPlace = openId === undefined ? -1 : keys.indexOf(openId)
  const isListed = openPlace >= 0
  useEffect(() => {
    // moving on by keys keeps the open one in sight
    if (isListed && list.current) reveal(list.current, openPlace, height)
    // only moving on does: what arrives meanwhile leaves the list where it is
    // oxlint-disable-next-line react/exhaustive-deps
  }, [openId, isListed, height])
  const before = useRef(openId)
  useEffect(() => {
    const isNext = before.current !== undefined && before.current !== openId
    before.current = openId
    if (!isNext || openId === undefined) return undefined
    // the row that had the focus may leave with its conversation: it goes on to the next one, once that is drawn
    const drawn = requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        list.current?.querySelector<HTMLElement>(`[data-conversation="${openId}"]`)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(drawn)
  }, [openId])
  return (
    <ul
      ref={list}
      aria-label="Conversations"
      className="relative shrink-0"
      style={{ height: (rows.length + (more ? 1 : 0)) * height }}
    >
      {rows.slice(first, last).map((row, place) => (
        <li
          key={row.conversationId}
          aria-posinset={first + place + 1}
          aria-setsize={more ? -1 : rows.length}
          className="absolute inset-x-0"
          style={{ top: (first + place) * height, height }}
        >
          <ConversationRow
            row={row}
            now={now}
            zone={zone}
            open={row.conversationId === openId}
            chosen={selection.has(row.conversationId)}
            onChoose={(checked, range) => selection.toggle(row.conversationId, checked, range)}
            onOpen={() => onOpen(row.conversationId)}
            apart={apart.get(row.channel.channelId)}
          />
        </li>
      ))}
      {more ? (
        <li className="absolute inset-x-0" style={{ top: rows.length * height, height }}>
          <RowsToCome rows={1} label="Loading more conversations" />
        </li>
      ) : null}
    </ul>
  )
}

/** The search box stays over the list. Pixels. */
const HEAD = 52

function reveal(list: HTMLElement, place: number, height: number): void {
  const scroller = scrollerOf(list)
  if (!scroller) return
  const isPage = scroller === document.scrollingElement
  const edge = isPage ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect()
  const top = list.getBoundingClientRect().top + place * height
  if (top < edge.top + HEAD) scroller.scrollTop += top - edge.top - HEAD
  else if (top + height > edge.bottom) scroller.scrollTop += top + height - edge.bottom
}

/** Rows of the list to come, as high as they will be. */
export function RowsToCome({ rows, label = 'Loading the conversations' }: { rows: number; label?: string }) {
  return (
    <Skeletons label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div
          key={row}
          className="flex items-start gap-3 border-b border-line px-3 py-3"
          style={{ height: `${ROW_HEIGHT}rem` }}
        >
          <Skeleton className="size-9 rounded-full" />
          <div className="grid grow gap-2 pt-1">
            <Skeleton className="h-3 w-2/5" />
            <Skeleton className="h-3 w-11/12" />
            <Skeleton className="h-2.5 w-1/3" />
          </div>
        </div>
      ))}
    </Skeletons>
  )
}
