import Info from 'lucide-react/icons/info'
import ExternalLink from 'lucide-react/icons/external-link'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { OutsideButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { ReplyBox } from './ReplyBox.tsx'
import { useAnswering } from './useAnswering.ts'
import type { ComponentProps } from 'react'

type Box = Omit<ComponentProps<typeof ReplyBox>, 'others' | 'onTyping' | 'url' | 'open' | 'row' | 'onSend'>
type Props = Box & {
  open: ReplyOf<typeof getConversation>
  row: ConversationRow
  onSend: (close: boolean) => void
}

/** The end of a conversation: who else is answering, and where it's answered, here or on the platform. */
export function ReplyFooter({ open, row, onSend, ...rest }: Props) {
  const { items, subject, can } = open
  const { others, begin, end } = useAnswering(row.conversationId)
  const platform = platformName(row.channel.platformName)
  const url =
    items.findLast((item) => item.direction === 'received' && item.url !== null && item.deletedAt === null)?.url ??
    row.person?.url ??
    subject?.url
  return (
    <footer className="grid shrink-0 grid-cols-[minmax(0,1fr)] gap-2 border-t border-line px-4 py-2.5">
      <span role="status" className="flex min-w-0 items-center gap-2 text-sm text-ink-muted empty:hidden">
        {others.length > 0 ? (
          <>
            <span className="flex -space-x-1.5">
              {others.slice(0, 3).map(({ userId, name, profileUrl }) => (
                <Avatar key={userId} name={name} src={profileUrl} size={20} />
              ))}
            </span>
            {others.length === 1
              ? `${others[0]?.name} is answering`
              : `${others.map(({ name }) => name).join(', ')} are answering`}
          </>
        ) : null}
      </span>
      {can.reply.possible ? (
        <ReplyBox
          {...rest}
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
