import { clsx } from 'clsx'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import EyeOff from 'lucide-react/icons/eye-off'
import Heart from 'lucide-react/icons/heart'
import Trash from 'lucide-react/icons/trash-2'
import { sentenceOf } from '#contract/failures/catalog.ts'
import type { InboxItem } from '#contract/inbox/conversations.ts'
import type { ConversationKind, EntityType, ReplyState } from '#contract/inbox/terms.ts'
import { whyNotDone } from '#contract/platforms/inboxRegistry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { dayAndTimeOf, timeOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'
import type { Tone } from '#web/ui/tones.ts'
import { Attachments } from './Attachments.tsx'
import { Stars } from './ConversationRow.tsx'

type Props = {
  item: InboxItem
  /** The account that writes as us. */
  channel: { channelName: string; profileUrl: string | null; platformName: PlatformKey }
  /** The item that it answers, where it isn't the one before. */
  parent: InboxItem | undefined
  kind: ConversationKind
}

/** What an item is where the kind of its conversation doesn't say so. */
const typeWords: Partial<Record<EntityType, string>> = {
  MENTION_POST: 'mentioned you in a post',
  MENTION_COMMENT: 'mentioned you in a comment',
  POST: 'posted on your page',
  FOREIGN_POST: 'quoted or tagged you',
}
/** How far one of our replies got, unless it arrived. */
const replyWords: Partial<Record<ReplyState, { word: string; tone: Tone }>> = {
  PENDING: { word: 'Waiting to be sent', tone: 'neutral' },
  SENDING: { word: 'Sending', tone: 'info' },
  UNCONFIRMED: { word: 'Unconfirmed', tone: 'wait' },
  FAILED: { word: 'Failed', tone: 'bad' },
  CANCELLED: { word: 'Canceled', tone: 'neutral' },
}

/** One thing that somebody wrote: theirs at the left, ours at the right. */
export function ThreadItem({ item, channel, parent, kind }: Props) {
  const zone = useProjectZone()
  const isOurs = item.direction === 'sent'
  const author = authorOf(item, channel)
  const look = item.reply ? replyWords[item.reply.state] : undefined
  return (
    <li className={clsx('group/item flex gap-2.5 py-1.5', isOurs ? 'flex-row-reverse' : '')}>
      <Avatar
        name={author}
        src={isOurs ? (item.member?.profileUrl ?? channel.profileUrl) : item.person?.pictureUrl}
        size={28}
        className="mt-5"
      />
      <div className={clsx('grid max-w-[min(34rem,85%)] min-w-0 gap-1', isOurs ? 'justify-items-end' : '')}>
        <p className="flex max-w-full min-w-0 flex-wrap items-baseline gap-x-1.5 text-xs text-ink-muted">
          <span className="truncate font-semibold text-ink">{author}</span>
          {!isOurs && typeWords[item.type] ? <span>{typeWords[item.type]}</span> : null}
          {isOurs && item.member ? <span>as {channel.channelName}</span> : null}
          {isOurs && !item.member ? <span>on {platformName(channel.platformName)}</span> : null}
          <time dateTime={item.at} title={dayAndTimeOf(item.at, zone)} className="tnum">
            {timeOf(item.at, zone)}
          </time>
          {item.editedAt ? <span title={dayAndTimeOf(item.editedAt, zone)}>edited</span> : null}
        </p>
        {parent ? (
          <p className="max-w-full truncate border-l-2 border-line-strong pl-2 text-sm text-ink-muted">
            <span className="sr-only">Answers </span>
            <b className="font-semibold">{authorOf(parent, channel)}</b>: {parent.text ?? 'a deleted message'}
          </p>
        ) : null}
        <div className={clsx('flex max-w-full items-start gap-1', isOurs ? 'flex-row-reverse' : '')}>
          <div
            className={clsx(
              'grid min-w-0 gap-2 rounded-lg px-3 py-2',
              isOurs ? 'bg-accent-soft' : 'border border-line bg-surface',
              item.hidden ? 'border border-dashed border-line-strong' : '',
            )}
          >
            {item.rating === null ? null : <Stars rating={item.rating} />}
            <Text item={item} />
            {item.deletedAt ? null : <Attachments media={item.media} url={item.url} platform={channel.platformName} />}
          </div>
          <ItemMenu item={item} kind={kind} platform={channel.platformName} author={author} />
        </div>
        {item.hidden || item.reaction || look ? (
          <p className="flex flex-wrap items-center gap-2 text-xs text-ink-muted">
            {item.hidden ? (
              <span className="flex items-center gap-1">
                <EyeOff size={12} aria-hidden />
                Hidden on {platformName(channel.platformName)}
              </span>
            ) : null}
            {item.reaction ? (
              <span className="flex items-center gap-1">
                <Heart size={12} aria-hidden />
                You reacted
              </span>
            ) : null}
            {look ? <Badge tone={look.tone}>{look.word}</Badge> : null}
          </p>
        ) : null}
        {item.reply?.failure ? <p className="text-sm text-bad">{sentenceOf(item.reply.failure)}</p> : null}
      </div>
    </li>
  )
}

function Text({ item: { text, deletedAt, expired, rating, media } }: { item: InboxItem }) {
  if (deletedAt) return <p className="text-ink-muted italic">This was deleted on the platform.</p>
  if (expired)
    return <p className="text-ink-muted italic">The platform doesn't allow us to keep this text any longer.</p>
  // a rating or a picture alone says enough
  if (!text) return rating === null && media.length === 0 ? <p className="text-ink-muted italic">No text</p> : null
  return <p className="break-words whitespace-pre-line">{text}</p>
}

function authorOf({ direction, member, person }: InboxItem, channel: { channelName: string }): string {
  if (direction === 'sent') return member?.name ?? channel.channelName
  return person?.name || person?.handle || 'Unknown person'
}

type MenuProps = { item: InboxItem; kind: ConversationKind; platform: PlatformKey; author: string }

/** What can be done with one item. What the platform doesn't let anybody do says so. */
function ItemMenu({ item, kind, platform, author }: MenuProps) {
  const { text, url, direction } = item
  const lacking = (['react', 'hide', 'delete'] as const).flatMap((action) => {
    const why = direction === 'received' ? whyNotDone(platform, kind, action) : null
    return why === null ? [] : [{ action, why, ...lackingLook[action] }]
  })
  if (item.deletedAt !== null || (!text && !url && lacking.length === 0)) return null
  const copy = () =>
    void navigator.clipboard.writeText(text ?? '').then(
      () => toast.success('Copied'),
      () => toast.error("Your browser didn't allow copying."),
    )
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          size="s"
          label={`Actions for what ${author} wrote`}
          icon={<Ellipsis size={14} />}
          className="pointer-fine:opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100 data-[state=open]:opacity-100"
        />
      }
    >
      {url ? (
        <MenuItem asChild>
          <OutsideLink href={url} className="text-ink! no-underline!">
            <ExternalLink size={14} aria-hidden className="mr-2.5 inline text-ink-muted" />
            Open on {platformName(platform)}
          </OutsideLink>
        </MenuItem>
      ) : null}
      {text ? (
        <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={copy}>
          Copy text
        </MenuItem>
      ) : null}
      {lacking.map(({ action, why, word, icon: Icon }) => (
        <MenuItem key={action} icon={<Icon size={14} aria-hidden />} why={why}>
          {word}
        </MenuItem>
      ))}
    </Menu>
  )
}
const lackingLook = {
  react: { word: 'React', icon: Heart },
  hide: { word: 'Hide', icon: EyeOff },
  delete: { word: 'Delete', icon: Trash },
} as const
