import { Fragment, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { longDay, wallOf } from '#web/lib/dates.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { OutgoingItem } from './OutgoingItem.tsx'
import { ThreadItem } from './ThreadItem.tsx'
import type { ReplyDraft } from './replyDrafts.ts'
import type { Outgoing, Replies } from './useReplies.ts'
import { useThread } from './useThread.ts'

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
  found: Found
  /** Leaves the item that was found, for the latest ones. */
  onLatest: () => void
}
/** The item that a search led to, and its words. */
export type Found = { itemId: string | undefined; words: string | undefined }

/** What was said, oldest first. It begins at its end, and stays there while more arrives. */
export function Thread({ open, row, replies, outgoing, onAnswer, onRewrite, ref, found, onLatest }: Props) {
  const zone = useProjectZone()
  const { items, isOpening, isAway, earlier, later } = useThread(open, found.itemId)
  const byId = new Map(items.map((item) => [item.itemId, item]))
  const dayOf = (at: string) => wallOf(new Date(at), zone).day

  useKeptScroll(ref, items[0]?.itemId, { found: isOpening ? undefined : found.itemId, follows: !isAway })

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
        {earlier && !isOpening ? (
          <p className="pt-3 text-center">
            <Button size="s" loading={earlier.isReading} onClick={earlier.read}>
              Show earlier
            </Button>
          </p>
        ) : null}
        {isOpening ? <SkeletonLines lines={8} label="Loading what was found" /> : null}
        <ol className="grid grid-cols-[minmax(0,1fr)] pt-2">
          {(isOpening ? [] : items).map((item, place) => {
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
                  words={found.words}
                  found={item.itemId === found.itemId}
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
        {later ? (
          <p className="flex flex-wrap justify-center gap-2 pt-3">
            <Button size="s" loading={later.isReading} onClick={later.read}>
              Show later
            </Button>
            <Button size="s" onClick={onLatest}>
              Go to the latest
            </Button>
          </p>
        ) : null}
      </div>
    </div>
  )
}

/** Nearer to the end than this, the reader is at the end. Pixels. */
const AT_END = 60

/**
 * Scrolls the element to what was found, or to its end, and keeps it there while its only child grows: a new message, a picture
 * that arrives, a reply box that takes up room. Further up, what comes above leaves what is read where it is. Without
 * `follows`, the end isn't the latest.
 */
function useKeptScroll(
  box: RefObject<HTMLDivElement | null>,
  firstKey: string | undefined,
  { found, follows }: { found: string | undefined; follows: boolean },
): void {
  const isAtEnd = useRef(true)
  const height = useRef(0)
  const shownAt = useRef<string>(undefined)
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const toEnd = () => {
      height.current = element.scrollHeight
      if (isAtEnd.current) scrollTo(element, element.scrollHeight)
    }
    let top = element.scrollTop
    const note = () => {
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < AT_END
      // only going up leaves the end: the event of our own scrolling can come after more has grown below
      if (isNear) isAtEnd.current = follows
      else if (element.scrollTop < top) isAtEnd.current = false
      top = element.scrollTop
    }
    const observer = new ResizeObserver(toEnd)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', note, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', note)
    }
  }, [box, follows])
  const shown = useRef(firstKey)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const item = found === undefined ? null : element.querySelector(`[data-item="${found}"]`)
    if (item && shownAt.current !== found) {
      shownAt.current = found
      isAtEnd.current = false
      item.scrollIntoView({ block: 'center', behavior: 'instant' })
    } else if (shown.current !== firstKey && !isAtEnd.current)
      scrollTo(element, element.scrollTop + element.scrollHeight - height.current)
    shown.current = firstKey
    if (isAtEnd.current) scrollTo(element, element.scrollHeight)
    height.current = element.scrollHeight
  }, [box, firstKey, found])
}

const scrollTo = (element: Element, top: number) => element.scrollTo({ top, behavior: 'instant' })
