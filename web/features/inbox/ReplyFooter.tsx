import ExternalLink from 'lucide-react/icons/external-link'
import Info from 'lucide-react/icons/info'
import type { getConversation } from '#contract/inbox/conversations.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { OutsideButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { useAnswering } from './useAnswering.ts'

type Props = { open: ReplyOf<typeof getConversation>; row: ConversationRow }

/** The way to an answer: on the platform, beside who else is writing one. */
export function ReplyFooter({ open: { items, subject, can }, row }: Props) {
  const { others, begin } = useAnswering(row.conversationId)
  const platform = platformName(row.channel.platformName)
  const url =
    items.findLast(({ direction, url, deletedAt }) => direction === 'received' && url !== null && deletedAt === null)
      ?.url ??
    row.person?.url ??
    subject?.url
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-t border-line px-4 py-2.5">
      {can.reply.possible || can.reply.reason === null ? null : (
        <p className="flex min-w-0 grow basis-64 items-start gap-2 text-sm text-ink-muted">
          <Info size={14} aria-hidden className="mt-0.5 shrink-0" />
          {can.reply.reason}
        </p>
      )}
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
      {url ? (
        <OutsideButtonLink
          href={url}
          {...(can.reply.possible ? { tone: 'primary' } : {})}
          icon={<ExternalLink size={15} aria-hidden />}
          className="ml-auto"
          onClick={begin}
        >
          {can.reply.possible ? `Reply on ${platform}` : `Open on ${platform}`}
        </OutsideButtonLink>
      ) : null}
    </footer>
  )
}
