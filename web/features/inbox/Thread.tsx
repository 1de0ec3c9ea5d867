import { useQueries } from '@tanstack/react-query'
import { Fragment, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { longDay, wallOf } from '#web/lib/dates.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { callOptions } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { Subject } from './Subject.tsx'
import { OutgoingItem } from './OutgoingItem.tsx'
import { ThreadItem } from './ThreadItem.tsx'
import type { ReplyDraft } from './replyDrafts.ts'
import type { Outgoing, Replies } from './useReplies.ts'

type Props = {
  open: ReplyOf<typeof getConversation>
  row: ConversationRow
  replies: Replies
  /** Replies that the server hasn't taken yet. */
  outgoing: readonly Outgoing[]
  /** Chooses what is answered; undefined where there is nothing to choose. */
  onAnswer: ((itemId: string) => void) | undefined
  /** Puts what wasn't sent back to where answers are written. */
  onRewrite: (draft: Pick<ReplyDraft, 'text' | 'files'>) => void
  ref: RefObject<HTMLDivElement | null>
}

/** What was said, oldest first, under what it is about. It begins at its end, and stays there while more arrives. */
export function Thread({ open, row, replies, outgoing, onAnswer, onRewrite, ref }: Props) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { conversationId } = row
  const [befores, setBefores] = useState<readonly string[]>([])
  const older = useQueries({
    queries: befores.map((before) =>
      callOptions(getConversation, { params: { ...ids, conversationId }, query: { before } }, { handles: true }),
    ),
  })
  const pages = [...older.map(({ data }) => data).toReversed(), open].filter((page) => page !== undefined)
  const items = pages.flatMap((page) => page.items)
  const [first] = items
  const loading = older.some(({ isPending }) => isPending)
  const more = pages[0]?.more === true && !loading
  const byId = new Map(items.map((item) => [item.itemId, item]))
  const dayOf = (at: string) => wallOf(new Date(at), zone).day

  useKeptScroll(ref, first?.itemId)

  return (
    <div
      ref={ref}
      role="region"
      aria-label="Conversation"
      // keys scroll it
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
    >
      <div className="px-4 py-3">
        {open.subject ? <Subject subject={open.subject} platform={row.channel.platformName} /> : null}
        {more || loading ? (
          <p className="pt-3 text-center">
            <Button
              size="s"
              loading={loading}
              onClick={() => (first ? setBefores([...befores, first.itemId]) : undefined)}
            >
              Show earlier
            </Button>
          </p>
        ) : null}
        <ol className="grid grid-cols-[minmax(0,1fr)] pt-2">
          {items.map((item, place) => {
            const before = items[place - 1]
            const day = dayOf(item.at)
            return (
              <Fragment key={item.itemId}>
                {before && dayOf(before.at) === day ? null : (
                  <li className="my-2 flex items-center gap-3 text-xs font-medium text-ink-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
                    {longDay(day)}
                  </li>
                )}
                <ThreadItem
                  item={item}
                  parent={item.parentId === null ? undefined : byId.get(item.parentId)}
                  row={row}
                  open={{ items, can: open.can }}
                  replies={replies}
                  onAnswer={onAnswer}
                  onRewrite={onRewrite}
                />
              </Fragment>
            )
          })}
          {outgoing
            // it is among the items once the server has taken it
            .filter(({ replyId }) => !items.some((item) => item.reply?.replyId === replyId))
            .map((one) => (
              <OutgoingItem key={one.replyId} outgoing={one} row={row} replies={replies} onRewrite={onRewrite} />
            ))}
        </ol>
      </div>
    </div>
  )
}

/** Nearer to the end than this, the reader is at the end. Pixels. */
const AT_END = 60

/**
 * Scrolls the element to its end, and keeps it there while its only child grows: a new message, a picture that arrives, a
 * reply box that takes up room. Further up, what comes above leaves what is read where it is.
 */
function useKeptScroll(box: RefObject<HTMLDivElement | null>, firstKey: string | undefined): void {
  const isAtEnd = useRef(true)
  const height = useRef(0)
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const toEnd = () => {
      height.current = element.scrollHeight
      if (isAtEnd.current) scrollTo(element, element.scrollHeight)
    }
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END
    }
    const observer = new ResizeObserver(toEnd)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', note, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [box])
  const shown = useRef(firstKey)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    if (shown.current !== firstKey && !isAtEnd.current)
      scrollTo(element, element.scrollTop + element.scrollHeight - height.current)
    shown.current = firstKey
    if (isAtEnd.current) scrollTo(element, element.scrollHeight)
    height.current = element.scrollHeight
  }, [box, firstKey])
}

const scrollTo = (element: Element, top: number) => element.scrollTo({ top, behavior: 'instant' })
