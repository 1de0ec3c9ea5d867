import Info from 'lucide-react/icons/info'
import ExternalLink from 'lucide-react/icons/external-link'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { OutsideButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { EditReplyDialog } from './EditReplyDialog.tsx'
import { editedIn, ownText } from './look.ts'
import { ReplyBox } from './ReplyBox.tsx'
import { useAnswering } from './useAnswering.ts'
import type { Replies } from './useReplies.ts'
import { useState, type ComponentProps } from 'react'

type Box = Omit<ComponentProps<typeof ReplyBox>, 'others' | 'onTyping' | 'url' | 'open' | 'row' | 'onSend'>
type Props = Omit<Box, 'files'> & {
  /** Undefined where nothing can be answered. */
  files: Box['files'] | undefined
  open: ReplyOf<typeof getConversation>
  row: ConversationRow
  onSend: (close: boolean) => void
  replies: Replies
}

/** The end of a conversation: who else is answering, and where it's answered, here or on the platform. */
export function ReplyFooter({ open, row, onSend, replies, files, ...rest }: Props) {
  const { items, subject, can } = open
  const { others, begin, end } = useAnswering(row.conversationId, open.answering)
  const platform = platformName(row.channel.platformName)
  const url =
    items.findLast((item) => item.direction === 'received' && item.url !== null && item.deletedAt === null)?.url ??
    row.person?.url ??
    subject?.url
  return (
    <footer className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line px-4 py-2.5 max-md:gap-1 max-md:px-2 max-md:py-1.5">
      <span role="status" className="flex min-w-0 items-center gap-2 text-sm text-ink-muted empty:hidden">
        {others.length > 0 ? (
          <>
            <span className="flex -space-x-1.5">
              {others.slice(0, 3).map(({ userId, name, profileUrl }) => (
                <Avatar key={userId} name={name} src={profileUrl} size={20} />
              ))}
            </span>
            {others.length === 1
              ? `${others[0]?.name} is replying`
              : `${others.map(({ name }) => name).join(', ')} are replying`}
          </>
        ) : null}
      </span>
      {files ? (
        <ReplyBox
          {...rest}
          files={files}
          open={open}
          row={row}
          others={others}
          onTyping={begin}
          url={url}
          onSend={(close) => {
            end()
            onSend(close)
          }}
        />
      ) : (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {can.reply.reason === null ? null : (
            <p className="flex min-w-0 grow basis-64 items-start gap-2 text-sm text-ink-muted">
              <Info size={14} aria-hidden className="mt-0.5 shrink-0" />
              {can.reply.reason}
            </p>
          )}
          <EditOnlyAnswer open={open} row={row} replies={replies} />
          {url ? (
            <OutsideButtonLink
              href={url}
              icon={<ExternalLink size={15} aria-hidden />}
              className="ml-auto"
              onClick={begin}
            >
              Open on {platform}
            </OutsideButtonLink>
          ) : null}
        </div>
      )}
    </footer>
  )
}

/** Where the platform takes a limited number of answers: the way to change the last one. */
function EditOnlyAnswer({ open, row, replies }: Pick<Props, 'open' | 'row' | 'replies'>) {
  const [editing, setEditing] = useState(false)
  const isLimited = inboxRules[row.channel.platformName].kinds[row.kind]?.reply?.mostPerItem !== undefined
  const item = open.items.findLast(({ can, reply }) => can.edit && reply !== null)
  if (!isLimited || !item?.reply) return null
  const { replyId } = item.reply
  return (
    <>
      <Button onClick={() => setEditing(true)}>Edit your reply</Button>
      {editing ? (
        <EditReplyDialog
          text={ownText(item)}
          row={row}
          answered={editedIn(open.items, row, item)}
          limits={open.can.reply}
          onClose={() => setEditing(false)}
          onSave={(next) => replies.edit(row, replyId, next)}
        />
      ) : null}
    </>
  )
}
