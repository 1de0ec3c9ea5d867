import { clsx } from 'clsx'
import CircleCheck from 'lucide-react/icons/circle-check'
import ExternalLink from 'lucide-react/icons/external-link'
import Send from 'lucide-react/icons/send-horizontal'
import Slash from 'lucide-react/icons/square-slash'
import X from 'lucide-react/icons/x'
import { useId, useRef, useState, type ComponentType, type RefObject } from 'react'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { replyLength } from '#contract/platforms/replyText.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useNow } from '#web/lib/now.ts'
import { useShortcuts } from '#web/lib/shortcuts.ts'
import { typeInto } from '#web/lib/typeInto.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { CountRing } from '#web/ui/CountRing.tsx'
import { EmojiButton } from '#web/ui/EmojiButton.tsx'
import { FileTarget } from '#web/ui/FileTarget.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { useIsPhone } from '#web/ui/useMedia.ts'
import type { Editor } from '#contract/presence.ts'
import type { ConversationRow } from './heldConversations.ts'
import { answeredIn, answeringText, limitOf, nameOf } from './look.ts'
import { isEmpty, type ReplyDraft } from './replyDrafts.ts'
import type { FilesHere, ReplyFilesSlot } from './replyFiles.ts'
import { useTypingList } from './useTypingList.tsx'

/** What other features bring to an answer. */
export type ReplySlots = {
  Files: ReplyFilesSlot
  Suggestions: ComponentType<{ conversationId: string; platform: PlatformKey; onUse: (text: string) => void }>
}

type Props = {
  open: ReplyOf<typeof getConversation>
  row: ConversationRow
  draft: ReplyDraft
  onDraft: (change: Partial<ReplyDraft>) => void
  onSend: (close: boolean) => void
  /** Back to what was said. */
  onLeave: () => void
  /** Colleagues who write an answer, too. */
  others: readonly Editor[]
  onTyping: () => void
  /** Where it can be answered on the platform. */
  url: string | null | undefined
  box: RefObject<HTMLTextAreaElement | null>
  files: FilesHere
  slots: ReplySlots
}

/** From this part of the limit on, how much is left matters. */
const NEAR = 0.8

/** Where an answer is written and sent. */
export function ReplyBox({
  open,
  row,
  draft,
  onDraft,
  onSend,
  onLeave,
  others,
  onTyping,
  url,
  box,
  files,
  slots: { Suggestions },
}: Props) {
  const id = useId()
  const isPhone = useIsPhone()
  const [asking, setAsking] = useState<{ close: boolean }>()
  const name = nameOf(row)
  const platform = row.channel.platformName
  const { price, asPersonFrom, most, addressLength } = open.can.reply
  const rules = inboxRules[platform].kinds[row.kind]?.reply
  const limit = rules && limitOf(rules, { most, addressLength })
  const target = draft.itemId === undefined ? undefined : open.items.find(({ itemId }) => itemId === draft.itemId)
  const answered = answeredIn(open.items, row, target)
  const used = limit ? replyLength(rules, limit, draft.text.trim(), answered, row.channel.handle) : 0
  const isOver = limit ? used > limit.max : false
  const isReady = !isEmpty(draft) && !isOver && files.problem === undefined
  // said once someone tries
  const [tried, setTried] = useState(false)
  const window = answeringText(row.answerUntil, asPersonFrom, useNow())

  const put = (text: string, caret: number, responseId?: string) => {
    if (box.current) typeInto(box.current, text, caret)
    if (responseId) onDraft({ text, responseId })
  }
  const typing = useTypingList({
    open,
    row,
    text: draft.text,
    onChoose: ({ text, caret, responseId }) => put(text, caret, responseId),
  })
  const asked = useRef<{ before: string; text: string }>(undefined)
  const askResponses = () => {
    const before = draft.text
    const text = before === '' || /\s$/.test(before) ? `${before}/` : `${before} /`
    put(text, text.length)
    typing.caret(text.length)
    asked.current = { before, text }
  }
  /** Who closes the list at once didn't want the sign that opened it. */
  const takeBack = () => {
    const { current } = asked
    asked.current = undefined
    if (current?.text === draft.text) put(current.before, current.before.length)
  }
  const group = 'Inbox'
  useShortcuts([
    { keys: 'r', group, label: 'Reply', run: () => box.current?.focus() },
    ...(typing.mayUseResponses ? [{ keys: '/', group, label: 'Reply with a canned response', run: askResponses }] : []),
  ])
  const send = (close: boolean) => {
    setTried(!isReady)
    if (!isReady) return
    if (others.length > 0) setAsking({ close })
    else onSend(close)
  }
  const insert = (emoji: string) => {
    const { selectionStart: start, selectionEnd: end } = box.current ?? { selectionStart: 0, selectionEnd: 0 }
    // the panel first returns the focus to its button
    requestAnimationFrame(() => put(draft.text.slice(0, start) + emoji + draft.text.slice(end), start + emoji.length))
  }

  return (
    <>
      {target ? (
        <p className="flex min-w-0 items-center gap-1.5 text-sm text-ink-muted">
          <span dir="auto" className="truncate border-l-2 border-accent pl-2">
            Replying to <b className="font-semibold">{target.person?.name || target.person?.handle || name}</b>:{' '}
            {target.text}
          </span>
          <IconButton
            size="s"
            label="Reply to the latest one instead"
            icon={<X size={13} />}
            onClick={() => {
              onDraft({ itemId: undefined })
              box.current?.focus()
            }}
          />
        </p>
      ) : null}
      <FileTarget
        takes="pasted"
        onFiles={files.add}
        className={clsx(
          'min-w-0 rounded-lg border bg-surface focus-within:outline-1',
          isOver
            ? 'border-bad focus-within:outline-bad'
            : 'border-line-strong focus-within:border-accent focus-within:outline-accent',
        )}
      >
        {typing.shown}
        <textarea
          ref={box}
          dir="auto"
          rows={1}
          aria-label={`Reply to ${name}`}
          aria-describedby={`${id}-count`}
          aria-invalid={isOver || undefined}
          aria-autocomplete="list"
          {...typing.aria}
          placeholder={`Reply to ${name}${typing.mayUseResponses ? ', / for canned responses' : ''}`}
          value={draft.text}
          onChange={({ target: field }) => {
            onDraft({ text: field.value })
            typing.caret(field.selectionStart)
            if (field.value.trim()) onTyping()
          }}
          onBlur={typing.close}
          onKeyDown={(event) => {
            if (event.key === 'Escape') takeBack()
            if (typing.onKey(event)) return
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              send(event.shiftKey)
            } else if (event.key === 'Escape') {
              event.preventDefault()
              onLeave()
            }
          }}
          className="block max-h-[35dvh] min-h-10 w-full resize-none field-sizing-content bg-transparent px-3 pt-2.5 pb-1 leading-normal outline-none placeholder:text-ink-muted"
        />
        {files.tray}
        <div className="flex items-center gap-1 px-1.5 pb-1.5">
          <div className="flex min-w-0 items-center gap-1 overflow-x-auto max-md:gap-0">
            {files.tools}
            <EmojiButton onChoose={insert} />
            {typing.mayUseResponses ? (
              <IconButton label="Canned responses" shortcut="/" icon={<Slash size={16} />} onClick={askResponses} />
            ) : null}
          </div>
          <span
            id={`${id}-count`}
            className={clsx(
              'tnum ml-auto flex shrink-0 items-center gap-1.5 px-1 text-sm whitespace-nowrap',
              isOver ? 'font-semibold text-bad' : 'text-ink-muted',
            )}
          >
            {limit && draft.text !== '' ? (
              <>
                <CountRing part={used / limit.max} over={isOver} near={used > limit.max * NEAR} />
                <span className={used > limit.max * NEAR ? '' : 'max-md:sr-only'}>
                  {used.toLocaleString('en')} / {limit.max.toLocaleString('en')}
                </span>
                <span className="sr-only"> {limit.unit === 'utf8bytes' ? 'bytes' : 'characters'}</span>
              </>
            ) : null}
          </span>
          {row.status === 'CLOSED' ? null : (
            <Button
              size="s"
              aria-disabled={!isReady}
              data-tip="Ctrl Shift Enter"
              icon={isPhone ? <CircleCheck size={15} aria-hidden /> : undefined}
              onClick={() => send(true)}
              className="shrink-0"
            >
              <span className={isPhone ? 'sr-only' : ''}>Send and close</span>
            </Button>
          )}
          <Button
            size="s"
            tone="primary"
            aria-disabled={!isReady}
            data-tip="Ctrl Enter"
            icon={<Send size={14} aria-hidden />}
            onClick={() => send(false)}
            className="shrink-0"
          >
            Send
          </Button>
        </div>
      </FileTarget>
      {tried && files.problem ? (
        <p role="alert" className="text-sm text-bad">
          {files.problem}
        </p>
      ) : null}
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-xs text-ink-muted empty:hidden">
        {isEmpty(draft) ? (
          <div className="min-w-0 has-[section]:basis-full">
            <Suggestions
              conversationId={row.conversationId}
              platform={platform}
              onUse={(text) => put(text, text.length)}
            />
          </div>
        ) : null}
        {window ? <span className="tnum">{window}</span> : null}
        {price === null ? null : (
          <span className="tnum">
            Each reply costs ${price} on {platformName(platform)}
          </span>
        )}
        {url ? (
          <OutsideLink href={url} className="ml-auto flex items-center gap-1" onClick={onTyping}>
            <ExternalLink size={12} aria-hidden />
            Open on {platformName(platform)}
          </OutsideLink>
        ) : null}
      </div>
      {asking ? (
        <ConfirmDialog
          open
          isReady
          onOpenChange={() => setAsking(undefined)}
          title={`${others.map((one) => one.name).join(', ')} ${others.length === 1 ? 'is' : 'are'} replying, too`}
          action="Send anyway"
          onConfirm={() => {
            setAsking(undefined)
            onSend(asking.close)
          }}
        >
          {name} may get two replies. Your text stays here if you cancel.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
