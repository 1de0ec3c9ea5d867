import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import type { CSSProperties } from 'react'
import { figureText, postTitle } from '#contract/analytics/labels.ts'
import type { PostMedian } from '#contract/analytics/posts.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { Definition } from '../Definition.tsx'
import type { TableOrder } from './usePostTable.ts'

/** In the order of the table. */
type Columns = readonly TableOrder['sort'][]

type Props = {
  columns: Columns
  grid: CSSProperties
  height: number
  order: TableOrder
  onOrder: (order: TableOrder) => void
  medians: readonly PostMedian[] | null
  platform: PlatformKey | undefined
  posts: number | null
  /** The rows below it are still those of before. */ isOld: boolean
}

/** What stays in view: the columns' names, which sort, then the median and the total of all posts, if any figure has them. */
export function PostTableHead({ columns, grid, height, order, onOrder, medians, platform, posts, isOld }: Props) {
  return (
    <div role="rowgroup" className="sticky top-0 z-3 border-b border-line bg-sunken">
      <div role="row" aria-rowindex={1} className="grid items-stretch bg-sunken" style={{ ...grid, height }}>
        <div role="columnheader" className={clsx(sticky, 'flex items-center px-3 text-xs font-bold text-ink-muted')}>
          Post
        </div>
        {columns.map((name) =>
          name === 'publishedAt' ? (
            <SortedHeader key={name} name={name} title="Published" order={order} onOrder={onOrder} />
          ) : (
            <SortedHeader
              key={name}
              name={name}
              title={postTitle(name, platform)}
              order={order}
              onOrder={onOrder}
              isNumber
            />
          ),
        )}
      </div>
      {medians?.length === 0 ? null : (
        <>
          <Together
            title="Median"
            hint={posts === null ? '' : 'of the posts that have it'}
            columns={columns}
            grid={grid}
            medians={medians}
            valueOf={({ median }) => median}
          />
          <Together
            title="Total"
            hint=""
            columns={columns}
            grid={grid}
            medians={medians}
            valueOf={({ total }) => total}
          />
        </>
      )}
      {isOld ? (
        // not paler rows: what is still there has to stay readable
        <div aria-hidden className="absolute inset-x-0 -bottom-px h-0.5 animate-late">
          <div className="h-full animate-shimmer bg-accent" />
        </div>
      ) : null}
    </div>
  )
}

/** What doesn't scroll sideways. It covers what scrolls below it with its row's own background, so each row needs one. */
export const sticky = 'sticky left-0 z-2 border-r border-line bg-inherit'

function SortedHeader({
  name,
  title,
  order,
  onOrder,
  isNumber = false,
}: {
  name: TableOrder['sort']
  title: string
  order: TableOrder
  onOrder: (order: TableOrder) => void
  isNumber?: boolean
}) {
  const isSorted = order.sort === name
  const Arrow = isSorted && order.order === 'asc' ? ArrowUp : ArrowDown
  return (
    <div
      role="columnheader"
      aria-sort={isSorted ? (order.order === 'asc' ? 'ascending' : 'descending') : 'none'}
      className={clsx('flex min-w-0 items-center gap-0.5 px-2', isNumber && 'justify-end')}
    >
      <button
        type="button"
        onClick={() => onOrder({ sort: name, order: isSorted && order.order === 'desc' ? 'asc' : 'desc' })}
        className={clsx(
          'group/sort flex min-h-8 min-w-0 items-center gap-1 rounded-sm text-xs leading-tight font-bold hover:text-ink',
          isNumber ? 'flex-row-reverse text-right' : 'text-left',
          isSorted ? 'text-ink' : 'text-ink-muted',
        )}
      >
        <span dir="auto" className="line-clamp-2 min-w-0 text-balance">
          {title}
        </span>
        <Arrow
          size={13}
          aria-hidden
          className={clsx(
            'shrink-0',
            isSorted ? 'text-accent' : 'invisible group-hover/sort:visible pointer-coarse:hidden',
          )}
        />
      </button>
      {name === 'publishedAt' ? null : (
        <Definition base="postsPublished" name={name} title={title} className="-mr-1.5 shrink-0" />
      )}
    </div>
  )
}

/** A row of one number per column, of all posts of the table. */
function Together({
  title,
  hint,
  columns,
  grid,
  medians,
  valueOf,
}: {
  title: string
  hint: string
  columns: Columns
  grid: CSSProperties
  medians: readonly PostMedian[] | null
  valueOf: (of: PostMedian) => number | null
}) {
  return (
    <div role="row" className="grid items-center border-t border-line bg-sunken" style={{ ...grid, height: 30 }}>
      <div role="rowheader" className={clsx(sticky, 'flex h-full items-center gap-1.5 px-3 text-sm font-semibold')}>
        {title}{' '}
        <span dir="auto" className="truncate text-xs font-normal text-ink-muted max-md:hidden">
          {hint}
        </span>
      </div>
      {columns.map((name) => {
        if (name === 'publishedAt') return <div key={name} role="cell" />
        const of = medians?.find((one) => one.name === name)
        const value = of ? valueOf(of) : null
        return (
          <div
            key={name}
            role="cell"
            className="tnum px-3 text-right text-sm font-semibold"
            {...(of ? { title: `${of.posts.toLocaleString('en')} posts have it` } : {})}
          >
            {medians === null ? '' : figureText(name, value)}
          </div>
        )
      })}
    </div>
  )
}
