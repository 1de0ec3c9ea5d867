import { useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { PostMedian } from '#contract/analytics/posts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { count } from '#web/lib/format.ts'
import { useIsPhone } from '#web/ui/useMedia.ts'
import { useScrollEdges } from '#web/ui/useScrollEdges.ts'
import type { NamedChannels } from '../useChannels.ts'
import { PostTableHead } from './PostTableHead.tsx'
import { PostTableLine, type OpensPost } from './PostTableLine.tsx'
import { columnsInView } from './postTableView.ts'
import type { LoadedPosts, TableOrder } from './usePostTable.ts'

/** The height of a row and of the head, in pixels: fixed, so that nothing jumps while rows come. */
const ROW = 60
const HEAD = 56
/** Rows drawn beyond those in view. */
const BEYOND = 10
/** From how many rows before the end the next portion is asked for. */
const EARLY = 30

type Props = {
  loaded: LoadedPosts
  columns: readonly FigureKey[]
  order: TableOrder
  onOrder: (order: TableOrder) => void
  /** Null while they load. */
  medians: readonly PostMedian[] | null
  /** Says the figures in this platform's own terms. */ platform: PlatformKey | undefined
  channels: NamedChannels
  /** Platforms whose terms forbid working anything out of their figures. */
  apart: readonly PlatformKey[]
  opens: OpensPost
  hasMore: boolean
  onMore: () => void
  /** Another order or filter is loading. */
  isOld: boolean
}

/**
 * Every post of the range as a row with its figures. Only the rows in view are in the document, so that the table can have any length;
 * further ones are asked for before its end is reached.
 */
export function PostTable({
  loaded,
  columns,
  order,
  onOrder,
  medians,
  platform,
  channels,
  apart,
  opens,
  hasMore,
  onMore,
  isOld,
}: Props) {
  const view = useRef<HTMLDivElement>(null)
  const edges = useScrollEdges(view)
  const { rows, first } = loaded
  // oxlint-disable-next-line react/incompatible-library -- this component isn't memoized: it draws again at each scroll
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW,
    overscan: BEYOND,
    scrollMargin: HEAD,
    getItemKey: (i) => rows[i]?.postId ?? i,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const more = useEffectEvent(onMore)
  useEffect(() => {
    if (hasMore && last >= rows.length - EARLY) more()
  }, [hasMore, last, rows.length])
  // a new order begins at its top
  useEffect(() => {
    view.current?.scrollTo({ top: 0 })
  }, [order.sort, order.order])
  const shown = columnsInView(columns, order.sort, useIsPhone())
  const widths = shown.map((name) => (name === 'publishedAt' ? 'var(--at)' : 'minmax(var(--column), 1fr)'))
  const grid = { gridTemplateColumns: `var(--post) ${widths.join(' ')}` }
  // so wide that each column has its least width
  const width = `max(100%, calc(var(--post) + var(--at) + ${columns.length} * var(--column)))`
  return (
    <div
      ref={view}
      role="region"
      aria-label="Posts with their figures"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keyboard
      tabIndex={0}
      className={clsx(
        'max-h-[max(26rem,calc(100dvh-15rem))] min-w-0 overflow-auto rounded-lg border border-line bg-surface [--at:6rem] [--column:9rem] md:[--column:8.5rem] [--post:8.5rem] focus-visible:-outline-offset-2 md:[--at:9rem] md:[--post:15rem] lg:[--post:20rem]',
        // its first column stays, so there's always more before what follows it
        edges.after && 'fade-after',
      )}
    >
      <div
        role="table"
        aria-label="Posts"
        aria-rowcount={(first.total ?? rows.length) + 1}
        aria-busy={isOld}
        style={{ width }}
      >
        <PostTableHead
          columns={shown}
          grid={grid}
          height={HEAD}
          order={order}
          onOrder={onOrder}
          medians={medians}
          platform={platform}
          posts={first.total}
          isOld={isOld}
        />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const post = rows[index]
            return post ? (
              <PostTableLine
                key={key}
                post={post}
                place={index + 2}
                columns={shown}
                channels={channels}
                apart={apart}
                opens={opens}
                style={{ ...grid, height: ROW, transform: `translateY(${start - HEAD}px)` }}
              />
            ) : null
          })}
        </div>
      </div>
      <p className="sticky left-0 w-fit px-3 py-2 text-sm text-ink-muted" aria-live="polite">
        {isOld
          ? 'Loading posts\u2026'
          : hasMore
            ? 'Loading more posts\u2026'
            : count(first.total ?? rows.length, 'post')}
      </p>
    </div>
  )
}
