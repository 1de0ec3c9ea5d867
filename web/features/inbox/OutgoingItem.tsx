import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { useHome } from '#web/lib/project.ts'
import type { ConversationRow } from './heldConversations.ts'
import type { ReplyDraft } from './replyDrafts.ts'
import { ReplyPictures } from './ReplyPictures.tsx'
import type { Outgoing, Replies } from './useReplies.ts'

type Props = {
  outgoing: Outgoing
  row: ConversationRow
  replies: Replies
  onRewrite: (draft: Pick<ReplyDraft, 'text' | 'files'>) => void
}

/** A reply that the server hasn't taken yet, shown at once where it will be. */
export function OutgoingItem({ outgoing, row, replies, onRewrite }: Props) {
  const me = useHome().data?.user
  const { why, draft } = outgoing
  const name = me ? `${me.firstName} ${me.lastName}`.trim() || me.email : 'You'
  return (
    <li className="flex flex-row-reverse gap-2.5 py-1.5">
      <Avatar name={name} src={me?.profileUrl ?? null} size={28} className="mt-5" />
      <div className="grid max-w-[min(34rem,85%)] min-w-0 justify-items-end gap-1">
        <p className="text-xs text-ink-muted">
          <span className="font-semibold text-ink">{name}</span> as {row.channel.channelName}
        </p>
        <div className="grid min-w-0 gap-2 rounded-lg bg-accent-soft px-3 py-2">
          {draft.text.trim() ? (
            <p dir="auto" className="break-words whitespace-pre-line">
              {draft.text.trim()}
            </p>
          ) : null}
          <ReplyPictures files={draft.files} />
        </div>
        {why ? (
          <>
            <Badge tone="bad">Not sent</Badge>
            <p role="alert" className="text-sm text-bad">
              {whyNotTaken(why)}
            </p>
            <p className="flex flex-wrap justify-end gap-1.5">
              <Button size="s" onClick={() => replies.sendAgain(row, outgoing)}>
                {why.code === 'STALE_VERSION' ? 'Send anyway' : 'Try again'}
              </Button>
              <Button
                size="s"
                onClick={() => {
                  replies.drop(outgoing.replyId)
                  onRewrite(draft)
                }}
              >
                Edit
              </Button>
              <Button size="s" tone="quiet" onClick={() => replies.drop(outgoing.replyId)}>
                Discard
              </Button>
            </p>
          </>
        ) : (
          <span role="status" className="flex items-center gap-1.5 text-xs text-ink-muted">
            <Spinner />
            Sending
          </span>
        )}
      </div>
    </li>
  )
}

function whyNotTaken(why: NonNullable<Outgoing['why']>): string {
  if (why.code === 'STALE_VERSION') return 'This conversation changed while you were writing. Check what is new first.'
  const [about] = Object.values(why.errors).flat()
  return about ?? why.detail ?? why.title
}
