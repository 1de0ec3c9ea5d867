import { useQueries } from '@tanstack/react-query'
import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { longDay, wallOf } from '#web/lib/dates.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { callOptions } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { Subject } from './Subject.tsx'
import { ThreadItem } from './ThreadItem.tsx'

type Props = { open: ReplyOf<typeof getConversation>; row: ConversationRow }

/** What was said, oldest first, under what it is about. It begins at its end, and stays there while more arrives. */
export function Thread({ open, row }: Props) {
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

  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const lastId = items.at(-1)?.itemId
  useLayoutEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight
  }, [lastId, open.subject])
  const height = useRef<{ first: string | undefined; scroll: number }>(undefined)
  useEffect(() => {
    // what comes above leaves what is read where it is
    const before = height.current
    const element = box.current
    if (!element) return
    if (before && before.first !== first?.itemId) element.scrollTop += element.scrollHeight - before.scroll
    height.current = { first: first?.itemId, scroll: element.scrollHeight }
  }, [first?.itemId, lastId])

  return (
    <div
      ref={box}
      role="region"
      aria-label="Conversation"
      // keys scroll it
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 60
      }}
      className="min-h-0 flex-1 overflow-y-auto px-4 py-3 focus-visible:-outline-offset-2"
    >
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
                channel={row.channel}
                parent={item.parentId === null ? undefined : byId.get(item.parentId)}
                kind={row.kind}
              />
            </Fragment>
          )
        })}
      </ol>
    </div>
  )
}
