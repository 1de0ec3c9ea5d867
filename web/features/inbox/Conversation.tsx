import ChevronDown from 'lucide-react/icons/chevron-down'
import StickyNote from 'lucide-react/icons/sticky-note'
import { clsx } from 'clsx'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from 'react'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { rightOf } from '#contract/inbox/terms.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome } from '#web/lib/project.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { ConversationHead, type Asked } from './ConversationHead.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { Earlier } from './Earlier.tsx'
import { rowOf, type ConversationRow } from './heldConversations.ts'
import { nameOf } from './look.ts'
import type { ReplySlots } from './ReplyBox.tsx'
import { emptyDraft, keepReplyDraft, readReplyDraft, type ReplyDraft } from './replyDrafts.ts'
import type { FilesHandle, FilesHere } from './replyFiles.ts'
import { ReplyFooter } from './ReplyFooter.tsx'
import { Subject } from './Subject.tsx'
import { Thread, type Found } from './Thread.tsx'
import type { InboxActions } from './useInboxActions.ts'
import { useRefresh } from './useRefresh.ts'
import type { Replies } from './useReplies.ts'

type Props = {
  open: ReplyOf<typeof getConversation>
  actions: InboxActions
  replies: Replies
  slots: ReplySlots
  asked: Asked | undefined
  onAsk: (asked: Asked, open: boolean) => void
  /** Colleagues' notes on it; undefined for those who may not read them. */
  notes: ReactNode
  /** The team's discussions about it. */
  discussions: ReactNode
  notesOpen: boolean
  onNotes: (open: boolean) => void
  /** After it was closed or put off: what comes next. */
  onDone: (status: 'CLOSED' | 'FOLLOWUP') => void
  /** After it was marked as unread: away from it. */
  onLeave: () => void
  /** It replaced the list, so that the focus must come along. */
  takesFocus: boolean
  /** The way back to the list, where it covers the list. */
  back: ReactNode
  found: Found
  onLatest: () => void
  /** Opens the labels of the project. */
  onManageLabels: () => void
}

/** One conversation: who and what about, what was said, what the team notes, and the way to an answer. */
export function Conversation({
  open,
  actions,
  replies,
  slots,
  asked,
  onAsk,
  notes,
  discussions,
  notesOpen,
  onNotes,
  onDone,
  onLeave,
  takesFocus,
  back,
  found,
  onLatest,
  onManageLabels,
}: Props) {
  const row = rowOf(open.conversation, open)
  const name = nameOf(row)
  const { conversationId } = row
  const userId = useHome().data?.user?.userId ?? ''
  const mayEdit = useMay([[rightOf(row.kind), 'edit']], { channelId: row.channel.channelId }) === 'yes'
  useRefresh(
    conversationId,
    open.items.some((item) => item.expired),
  )
  useRead(row.unread, () => actions.markRead(row, true), `${conversationId} ${row.lastAt}`)

  const unsent = open.items.filter(
    ({ reply, member }) => member?.userId === userId && (reply?.state === 'FAILED' || reply?.state === 'UNCONFIRMED'),
  )
  // what they were notified of, they see
  useSeen(unsent.map(({ itemId, reply }) => `${itemId} ${reply?.state}`).join(), () => actions.markSeen(row))

  const section = useRef<HTMLElement>(null)
  const thread = useRef<HTMLDivElement>(null)
  const writeNote = () => {
    onNotes(true)
    // once the field is there
    requestAnimationFrame(() => section.current?.querySelector<HTMLElement>('[data-notes] textarea')?.focus())
  }
  const close = () => {
    actions.setStatus(row, 'CLOSED')
    onDone('CLOSED')
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
        onPutOff={() => onDone('FOLLOWUP')}
        onUnread={unread}
        onManageLabels={onManageLabels}
        discussions={discussions}
        back={back}
      />
      {open.subject ? (
        <Subject key={`subject ${conversationId}`} subject={open.subject} platform={row.channel.platformName} />
      ) : null}
      <Earlier key={`earlier ${conversationId}`} earlier={open.earlier} name={name} />
      <ThreadAndAnswer
        key={conversationId}
        open={open}
        row={row}
        replies={replies}
        slots={slots}
        thread={thread}
        found={found}
        onLatest={onLatest}
        onSent={(closes) => (closes ? onDone('CLOSED') : undefined)}
      >
        {notes ? (
          // a field that has a list to close takes the key first
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <section
            aria-label="Notes"
            data-notes
            onKeyDown={({ key, target }) => {
              if (key === 'Escape' && target instanceof HTMLTextAreaElement) thread.current?.focus()
            }}
            className="flex max-h-[min(24rem,50dvh)] shrink-0 flex-col border-t border-line"
          >
            <button
              type="button"
              aria-expanded={notesOpen}
              onClick={() => onNotes(!notesOpen)}
              className="flex min-h-9 w-full shrink-0 items-center gap-2 px-4 text-sm font-medium text-ink-muted hover:bg-hover hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:min-h-10"
            >
              <StickyNote size={14} aria-hidden className={row.notes > 0 ? 'text-wait' : ''} />
              {row.notes > 0 ? count(row.notes, 'note') : 'Notes'}
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
      </ThreadAndAnswer>
    </article>
  )
}

type Answered = Pick<Props, 'open' | 'replies' | 'slots' | 'found' | 'onLatest'> & {
  row: ConversationRow
  thread: RefObject<HTMLDivElement | null>
  /** After a reply was sent: whether it closes the conversation. */
  onSent: (closes: boolean) => void
  /** What stands between what was said and the answer. */
  children: ReactNode
}

/** What was said and the answer that is being written. What was written is kept in this browser until it's sent. */
function ThreadAndAnswer({ open, row, replies, slots, thread, found, onLatest, onSent, children }: Answered) {
  const { conversationId } = row
  const userId = useHome().data?.user?.userId ?? ''
  const outgoing = replies.outgoing.filter((one) => one.conversationId === conversationId)
  const [draft, setDraft] = useState(() =>
    // what is kept of it is on its way
    outgoing.length > 0 ? emptyDraft : readReplyDraft(userId, conversationId),
  )
  // pictures arrive while the text is written
  const latest = useRef(draft)
  const write = (change: Partial<ReplyDraft>) => {
    latest.current = { ...latest.current, ...change }
    setDraft(latest.current)
    keepReplyDraft(userId, conversationId, latest.current)
  }
  const files = useRef<FilesHandle>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const focusBox = () => requestAnimationFrame(() => box.current?.focus())
  const canReply = open.can.reply.possible
  const content = (here: FilesHere | undefined) => (
    <>
      <Thread
        key={found.itemId ?? 'latest'}
        ref={thread}
        found={found}
        onLatest={onLatest}
        open={open}
        row={row}
        replies={replies}
        outgoing={outgoing}
        onAnswer={
          canReply && (row.kind === 'comment' || row.kind === 'mention')
            ? (itemId) => {
                write({ itemId })
                focusBox()
              }
            : undefined
        }
        onRewrite={({ text, files: before }) => {
          write({ text: draft.text.trim() ? `${text}\n${draft.text}` : text })
          if (before.length > 0) files.current?.replace(before)
          focusBox()
        }}
      />
      {children}
      <ReplyFooter
        open={open}
        row={row}
        draft={draft}
        onDraft={write}
        onSend={(close) => {
          files.current?.replace([])
          latest.current = emptyDraft
          setDraft(emptyDraft)
          keepReplyDraft(userId, conversationId, draft)
          replies.send(row, draft, close)
          // where it appears
          if (found.itemId !== undefined) onLatest()
          onSent(close)
        }}
        onLeave={() => thread.current?.focus()}
        replies={replies}
        box={box}
        files={here}
        slots={slots}
      />
    </>
  )
  if (!canReply) return content(undefined)
  return (
    <slots.Files
      ref={files}
      row={row}
      limits={open.can.reply.limits}
      initial={draft.files}
      onChange={(arrived) => write({ files: arrived })}
    >
      {(here) => (
        <FileTarget
          takes="dropped"
          onFiles={here.add}
          words="Drop pictures to add them to your reply"
          className="flex min-h-0 flex-1 flex-col"
        >
          {content(here)}
        </FileTarget>
      )}
    </slots.Files>
  )
}

/** Marks what is on screen as read, once for each last item, and not while nobody looks. */
function useRead(unread: boolean, onRead: () => void, what: string): void {
  const isVisible = useIsVisible()
  const marked = useRef<string>(undefined)
  const mark = useEffectEvent(onRead)
  useEffect(() => {
    if (!unread || !isVisible || marked.current === what) return
    marked.current = what
    mark()
  }, [unread, isVisible, what])
}

/** Calls back when something else is to be seen and someone looks; `what` is empty where there is nothing. */
function useSeen(what: string, onSeen: () => void): void {
  const isVisible = useIsVisible()
  const see = useEffectEvent(onSeen)
  useEffect(() => {
    if (what && isVisible) see()
  }, [what, isVisible])
}

const useIsVisible = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => document.visibilityState === 'visible',
  )
