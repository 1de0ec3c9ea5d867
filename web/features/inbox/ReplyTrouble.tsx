import { useState } from 'react'
import { adviceFor, sentenceOf } from '#contract/failures/catalog.ts'
import type { InboxItem } from '#contract/inbox/conversations.ts'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { ConversationRow } from './heldConversations.ts'
import type { ReplyDraft } from './replyDrafts.ts'
import type { Replies } from './useReplies.ts'

type Props = {
  item: InboxItem
  row: ConversationRow
  replies: Replies
  onRewrite: (draft: Pick<ReplyDraft, 'text' | 'files'>) => void
}

/** Why one of our replies wasn't sent, or isn't known to be, and what to do about it. */
export function ReplyTrouble({ item, row, replies, onRewrite }: Props) {
  const [busy, setBusy] = useState(false)
  const { reply, can, text } = item
  if (!reply || (reply.state !== 'FAILED' && reply.state !== 'UNCONFIRMED')) return null
  const { replyId, failure } = reply
  const until = (done: Promise<unknown>) => {
    setBusy(true)
    void done.finally(() => setBusy(false))
  }
  if (reply.state === 'UNCONFIRMED') {
    const platform = platformName(row.channel.platformName)
    return (
      <div className="grid justify-items-end gap-1.5">
        <p className="text-right text-sm text-pretty text-wait">
          We couldn't confirm that {platform} published this reply. Check there, so that it isn't sent twice.
        </p>
        {can.confirm ? (
          <p className="flex flex-wrap justify-end gap-1.5">
            <Button size="s" loading={busy} onClick={() => until(replies.confirm(row, replyId, true))}>
              It was sent
            </Button>
            <Button
              size="s"
              loading={busy}
              onClick={() =>
                until(
                  replies
                    .confirm(row, replyId, false)
                    .then((through) => (through ? replies.retry(row, item) : undefined)),
                )
              }
            >
              It wasn't, send again
            </Button>
          </p>
        ) : null}
      </div>
    )
  }
  return (
    <div className="grid justify-items-end gap-1.5">
      {failure ? (
        <p className="text-right text-sm text-pretty text-bad">
          {sentenceOf(failure)} {adviceFor(failure, 'reply')}
        </p>
      ) : null}
      <p className="flex flex-wrap justify-end gap-1.5 empty:hidden">
        {can.retry ? (
          <Button size="s" loading={busy} onClick={() => replies.retry(row, item)}>
            Try again
          </Button>
        ) : null}
        {can.delete ? (
          <>
            <Button
              size="s"
              loading={busy}
              onClick={() =>
                until(
                  replies
                    .remove(row, replyId)
                    .then((through) => (through ? onRewrite({ text: text ?? '', files: reply.files }) : undefined)),
                )
              }
            >
              Edit
            </Button>
            <Button size="s" tone="quiet" loading={busy} onClick={() => until(replies.remove(row, replyId))}>
              Discard
            </Button>
          </>
        ) : null}
      </p>
    </div>
  )
}
