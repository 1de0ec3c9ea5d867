import { clsx } from 'clsx'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import GripVertical from 'lucide-react/icons/grip-vertical'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { Queue } from '#contract/queues.ts'
import { dayAndTimeOf } from '#web/lib/format.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'

type Props = { queue: Queue; /** Undefined for who may only look. */ onMove: ((from: number, to: number) => void) | undefined }

/** The queued posts in their order. A post moves by dragging, by its buttons, or by Alt and an arrow key. */
export function QueueOrder({ queue: { posts, timezone, paused, slots }, onMove }: Props) {
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const wanted = useRef<{ postId: string; to: number; by: 'up' | 'down' }>(undefined)
  // the focus goes with the post once the list shows it in its new place, to the button at the other end where this one has nowhere to go
  useEffect(() => {
    if (!wanted.current) return
    const { postId, to, by } = wanted.current
    const row = list.current?.querySelector(`[data-post="${postId}"]`)
    if (!row || list.current?.children[to] !== row) return
    wanted.current = undefined
    const button = row.querySelector<HTMLButtonElement>(`button[data-by="${by}"]:not([aria-disabled="true"])`) ?? row.querySelector<HTMLButtonElement>('button[data-by]:not([aria-disabled="true"])')
    button?.focus()
  })
  const move = (from: number, to: number, by?: 'up' | 'down') => {
    if (!onMove || to < 0 || to >= posts.length || from === to) return
    onMove(from, to)
    setSaid(`Moved to place ${to + 1} of ${posts.length}`)
    const postId = posts[from]?.postId
    if (by && postId) wanted.current = { postId, to, by }
  }
  const onKeyDown = (event: KeyboardEvent, i: number) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    if (event.key === 'ArrowUp') move(i, i - 1, 'up')
    else move(i, i + 1, 'down')
  }
  const waits = paused ? 'While paused' : slots.length === 0 ? 'No slot' : 'No time yet'
  return (
    <>
      <ol ref={list} aria-label="Queued posts" className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface">
        {posts.map(({ postId, excerpt, at }, i) => (
          // dragging is a second way; keys and buttons do the same
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={postId}
            data-post={postId}
            draggable={onMove !== undefined}
            onDragStart={(event) => {
              setDragged(i)
              event.dataTransfer.effectAllowed = 'move'
              event.dataTransfer.setData('text/plain', excerpt)
            }}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              setOver(i)
            }}
            onDrop={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              move(dragged, i)
            }}
            onDragEnd={() => {
              setDragged(undefined)
              setOver(undefined)
            }}
            onKeyDown={(event) => onKeyDown(event, i)}
            className={clsx('flex items-center gap-2 px-2.5 py-2', dragged === i ? 'opacity-50' : '', over === i && dragged !== undefined && dragged !== i ? 'bg-accent-soft' : '')}
          >
            {onMove ? <GripVertical size={14} aria-hidden className="shrink-0 cursor-grab text-ink-faint max-md:hidden" /> : null}
            <span className="tnum w-5 shrink-0 text-right text-sm text-ink-muted">{i + 1}</span>
            <div className="min-w-0 grow">
              <Link to="." search={(before) => ({ ...before, post: postId })} draggable={false} className="block truncate text-ink! no-underline hover:underline">
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
                <IconButton data-by="up" label={`Move ${i + 1} up`} size="s" aria-disabled={i === 0} icon={<ArrowUp size={14} />} onClick={() => move(i, i - 1, 'up')} />
                <IconButton data-by="down" label={`Move ${i + 1} down`} size="s" aria-disabled={i === posts.length - 1} icon={<ArrowDown size={14} />} onClick={() => move(i, i + 1, 'down')} />
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
