import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import type { Queue } from '#contract/queues.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'
import { gripLook, rowDragLook, useRowOrder } from '#web/ui/useRowOrder.ts'

type Props = {
  queue: Queue
  /** Undefined for those who may only view it. */ onMove: ((from: number, to: number) => void) | undefined
}

/** The queued posts in order. A post moves by dragging, by its buttons, or by Alt and an arrow key. */
export function QueueOrder({ queue: { posts, timezone, paused, slots }, onMove }: Props) {
  const { list, said, row, button } = useRowOrder<HTMLOListElement>({
    ids: posts.map(({ postId }) => postId),
    onMove,
    place: 'place',
  })
  const waits = paused ? 'While paused' : slots.length === 0 ? 'No slot' : 'No time yet'
  return (
    <>
      <ol
        ref={list}
        aria-label="Queued posts"
        className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
      >
        {posts.map(({ postId, excerpt, at }, i) => (
          // dragging is an alternative; keys and buttons do the same
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={postId}
            {...row(i)}
            {...(onMove ? { 'data-whole': true } : {})}
            className={clsx('flex items-center gap-2 bg-surface px-2.5 py-2', onMove ? 'cursor-grab' : '', rowDragLook)}
          >
            {onMove ? (
              <span
                data-grip
                aria-hidden
                className={clsx('-my-2 -ml-1 grid shrink-0 place-items-center py-3 pointer-coarse:px-1.5', gripLook)}
              >
                <GripVertical size={14} />
              </span>
            ) : null}
            <span className="tnum w-5 shrink-0 text-right text-sm text-ink-muted">{i + 1}</span>
            <div className="min-w-0 grow">
              <Link
                to="."
                search={(before) => ({ ...before, post: postId })}
                draggable={false}
                className="block truncate text-ink! no-underline hover:underline"
              >
                {excerpt || 'No text'}
              </Link>
              {at ? (
                <time dateTime={at} className="tnum text-sm text-ink-muted">
                  {dayAndTimeOf(at, timezone)}
                </time>
              ) : (
                <span className="text-sm text-ink-muted">{waits}</span>
              )}
            </div>
            {onMove ? (
              <span className="flex shrink-0">
                <IconButton {...button(i, 'up')} label={`Move ${i + 1} up`} size="s" icon={<ArrowUp size={14} />} />
                <IconButton
                  {...button(i, 'down')}
                  label={`Move ${i + 1} down`}
                  size="s"
                  icon={<ArrowDown size={14} />}
                />
              </span>
            ) : null}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}
