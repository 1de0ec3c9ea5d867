import ChevronDown from 'lucide-react/icons/chevron-down'
import StickyNote from 'lucide-react/icons/sticky-note'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useRef, useSyncExternalStore, type ReactNode } from 'react'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { rightOf } from '#contract/inbox/terms.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { ConversationHead, type Asked } from './ConversationHead.tsx'
import { Earlier } from './Earlier.tsx'
import { rowOf } from './heldConversations.ts'
import { nameOf } from './look.ts'
import { ReplyFooter } from './ReplyFooter.tsx'
import { Thread } from './Thread.tsx'
import type { InboxActions } from './useInboxActions.ts'

type Props = {
  open: ReplyOf<typeof getConversation>
  actions: InboxActions
  asked: Asked | undefined
  onAsk: (asked: Asked, open: boolean) => void
  /** Colleagues' notes on it; undefined for those who may not read them. */
  notes: ReactNode
  notesOpen: boolean
  onNotes: (open: boolean) => void
  /** After it was closed: what comes next. */
  onDone: () => void
  /** After it was marked as unread: away from it. */
  onLeave: () => void
  /** It replaced the list, so that the focus must come along. */
  takesFocus: boolean
  /** Opens the labels of the project. */
  onManageLabels: () => void
}

/** One conversation: who and what about, what was said, what the team notes, and the way to an answer. */
export function Conversation({
  open,
  actions,
  asked,
  onAsk,
  notes,
  notesOpen,
  onNotes,
  onDone,
  onLeave,
  takesFocus,
  onManageLabels,
}: Props) {
  const row = rowOf(open.conversation, open)
  const name = nameOf(row)
  const { conversationId } = row
  const mayEdit = useMay([[rightOf(row.kind), 'edit']], { channelId: row.channel.channelId }) === 'yes'
  useRead(row.unread, () => actions.markRead(row, true), `${conversationId} ${row.lastAt}`)

  const section = useRef<HTMLElement>(null)
  const writeNote = () => {
    onNotes(true)
    // once the field is there
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>('[data-notes] textarea')?.focus())
  }
  const close = () => {
    actions.setStatus(row, 'CLOSED')
    onDone()
  }
  const unread = () => {
    actions.markRead(row, false)
    onLeave()
  }
  const group = 'Inbox'
  const editing = [
    {
      keys: 'e',
      group,
      label: row.status === 'CLOSED' ? 'Reopen the conversation' : 'Close the conversation',
      run: () => (row.status === 'CLOSED' ? actions.setStatus(row, 'OPEN') : close()),
    },
    { keys: 'f', group, label: 'Follow up later', run: () => onAsk('followUp', true) },
    { keys: 'a', group, label: 'Assign the conversation', run: () => onAsk('assign', true) },
    { keys: 'l', group, label: 'Label the conversation', run: () => onAsk('label', true) },
  ]
  useShortcuts([
    ...(mayEdit ? editing : []),
    ...(notes ? [{ keys: 'n', group, label: 'Write a note', run: writeNote }] : []),
    { keys: 'u', group, label: 'Mark the conversation as unread', run: unread },
  ])

  return (
    <article ref={section} aria-label={`Conversation with ${name}`} className="flex min-h-0 min-w-0 flex-1 flex-col">
      <ConversationHead
        row={row}
        actions={actions}
        asked={asked}
        onAsk={onAsk}
        mayEdit={mayEdit}
        takesFocus={takesFocus}
        onClose={close}
        onUnread={unread}
        onManageLabels={onManageLabels}
      />
      <Earlier key={`earlier ${conversationId}`} earlier={open.earlier} name={name} />
      <Thread key={conversationId} open={open} row={row} />
      {notes ? (
        <section
          aria-label="Notes"
          data-notes
          className="flex max-h-[min(24rem,50dvh)] shrink-0 flex-col border-t border-line"
        >
          <button
            type="button"
            aria-expanded={notesOpen}
            onClick={() => onNotes(!notesOpen)}
            className="flex min-h-9 w-full shrink-0 items-center gap-2 px-4 text-sm font-medium text-ink-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:min-h-10"
          >
            <StickyNote size={14} aria-hidden />
            Notes
            <span className="font-normal text-ink-muted">only your team sees them</span>
            <ChevronDown
              size={13}
              aria-hidden
              className={clsx('ml-auto transition-transform', notesOpen ? '' : 'rotate-180')}
            />
          </button>
          {notesOpen ? <div className="min-h-0 overflow-y-auto px-4 pb-3">{notes}</div> : null}
        </section>
      ) : null}
      <ReplyFooter key={`reply ${conversationId}`} open={open} row={row} />
    </article>
  )
}

/** Marks what is on screen as read, once for each last item, and not while nobody looks. */
function useRead(unread: boolean, onRead: () => void, what: string): void {
  const isVisible = useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => document.visibilityState === 'visible',
  )
  const marked = useRef<string>(undefined)
  const mark = useEffectEvent(onRead)
  useEffect(() => {
    if (!unread || !isVisible || marked.current === what) return
    marked.current = what
    mark()
  }, [unread, isVisible, what])
}
