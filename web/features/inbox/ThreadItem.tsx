import { clsx } from 'clsx'
import EyeOff from 'lucide-react/icons/eye-off'
import Check from 'lucide-react/icons/check'
import Heart from 'lucide-react/icons/heart'
import ShieldQuestion from 'lucide-react/icons/shield-question-mark'
import type { ComponentProps } from 'react'
import type { InboxItem } from '#contract/inbox/conversations.ts'
import { findMarks } from '#contract/searchMarks.ts'
import type { EntityType, ReplyState } from '#contract/inbox/terms.ts'
import { count, dayAndTimeOf, timeOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { LinkedText } from '#web/ui/LinkedText.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import type { Tone } from '#web/ui/tones.ts'
import { Attachments } from './Attachments.tsx'
import { Stars } from './ConversationRow.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { ItemMenu } from './ItemMenu.tsx'
import { unsentLook } from './look.ts'
import { reactedText } from './reactionLook.ts'
import type { ReplyDraft } from './replyDrafts.ts'
import { ReplyPictures } from './ReplyPictures.tsx'
import { ReplyTrouble } from './ReplyTrouble.tsx'
import type { Replies } from './useReplies.ts'

type Props = {
  item: InboxItem
  row: ConversationRow
  open: ComponentProps<typeof ItemMenu>['open']
  /** The item that it answers, where it isn't the one before. */
  parent: InboxItem | undefined
  replies: Replies
  /** Chooses it to be answered; undefined where there is nothing to choose. */
  onAnswer: ((itemId: string) => void) | undefined
  /** Puts a reply that wasn't sent back to where answers are written. */
  onRewrite: (draft: Pick<ReplyDraft, 'text' | 'files'>) => void
  /** What was searched for. */
  words: string | undefined
  /** A search led here. */
  found: boolean
}

/** What an item is where the kind of its conversation doesn't say so. */
const typeWords: Partial<Record<EntityType, string>> = {
  MENTION_POST: 'mentioned you in a post',
  MENTION_COMMENT: 'mentioned you in a comment',
  POST: 'posted on your page',
  FOREIGN_POST: 'quoted or tagged you',
}
/** How far one of our replies got, unless it arrived. */
const replyWords: Partial<Record<ReplyState, { word: string; tone: Tone; moves?: true }>> = {
  PENDING: { word: 'Waiting to be sent', tone: 'neutral', moves: true },
  SENDING: { word: 'Sending', tone: 'info', moves: true },
  UNCONFIRMED: unsentLook.UNCONFIRMED,
  FAILED: unsentLook.FAILED,
  CANCELLED: { word: 'Canceled', tone: 'neutral' },
}

/** One thing that someone wrote: theirs at the left, ours at the right. */
export function ThreadItem({ item, row, open, parent, replies, onAnswer, onRewrite, words, found }: Props) {
  const { channel } = row
  const zone = useProjectZone()
  const isOurs = item.direction === 'sent'
  const author = authorOf(item, channel)
  const look = item.reply ? replyWords[item.reply.state] : undefined
  return (
    <li data-item={item.itemId} className={clsx('group/item flex gap-2.5 py-1.5', isOurs ? 'flex-row-reverse' : '')}>
      <Avatar
        name={author}
        src={isOurs ? (item.member?.profileUrl ?? channel.profileUrl) : item.person?.pictureUrl}
        size={28}
        className="mt-5"
      />
      <div className={clsx('grid max-w-[min(34rem,85%)] min-w-0 gap-1', isOurs ? 'justify-items-end' : '')}>
        <p className="flex max-w-full min-w-0 flex-wrap items-baseline gap-x-1.5 text-xs text-ink-muted">
          <span dir="auto" className="truncate font-semibold text-ink">
            {author}
          </span>
          {!isOurs && typeWords[item.type] ? <span>{typeWords[item.type]}</span> : null}
          {isOurs && item.member ? <span>as {channel.channelName}</span> : null}
          {isOurs && !item.member ? <span>on {platformName(channel.platformName)}</span> : null}
          <time dateTime={item.at} title={dayAndTimeOf(item.at, zone)} className="tnum">
            {timeOf(item.at, zone)}
          </time>
          {item.editedAt ? <span title={dayAndTimeOf(item.editedAt, zone)}>edited</span> : null}
        </p>
        {parent ? (
          <p dir="auto" className="max-w-full truncate border-l-2 border-line-strong pl-2 text-sm text-ink-muted">
            <span className="sr-only">Replies to </span>
            <b className="font-semibold">{authorOf(parent, channel)}</b>: {parent.text ?? 'a deleted message'}
          </p>
        ) : null}
        <div className={clsx('flex max-w-full items-start gap-1', isOurs ? 'flex-row-reverse' : '')}>
          <div
            className={clsx(
              'grid min-w-0 gap-2 rounded-lg px-3 py-2',
              isOurs ? 'bg-accent-soft' : 'border border-line bg-surface',
              item.hidden ? 'border border-dashed border-line-strong' : '',
              found ? 'outline-2 outline-offset-2 outline-accent' : '',
            )}
          >
            {found ? <span className="sr-only">Found: </span> : null}
            {item.rating === null ? null : <Stars rating={item.rating} />}
            <Text item={item} words={words} />
            {item.deletedAt ? null : <Attachments media={item.media} url={item.url} platform={channel.platformName} />}
            {item.reply ? <ReplyPictures files={item.reply.files} /> : null}
          </div>
          <ItemMenu
            item={item}
            row={row}
            open={open}
            author={author}
            replies={replies}
            onAnswer={item.direction === 'received' ? onAnswer : undefined}
          />
        </div>
        {item.hidden || item.reaction || look ? (
          <p className="flex flex-wrap items-center gap-2 text-xs text-ink-muted">
            {item.held ? (
              <>
                <Badge tone="wait" icon={<ShieldQuestion size={13} aria-hidden />}>
                  Held for review
                </Badge>
                <span>Nobody sees it on {platformName(channel.platformName)} until it's approved.</span>
                {item.can.approve ? (
                  <Button
                    size="s"
                    icon={<Check size={14} aria-hidden />}
                    aria-label={`Approve what ${author} wrote`}
                    onClick={() => replies.approve(row, item)}
                  >
                    Approve
                  </Button>
                ) : null}
              </>
            ) : item.hidden ? (
              <span className="flex items-center gap-1">
                <EyeOff size={12} aria-hidden />
                Hidden on {platformName(channel.platformName)}
              </span>
            ) : null}
            {item.reaction ? (
              <span className="flex items-center gap-1">
                <Heart size={12} fill="currentColor" aria-hidden className="text-accent" />
                {reactedText(item.reaction)}
              </span>
            ) : null}
            {look ? (
              <Badge tone={look.tone} {...(look.moves ? { icon: <Spinner /> } : {})}>
                {look.word}
              </Badge>
            ) : null}
          </p>
        ) : null}
        <ReplyTrouble item={item} row={row} replies={replies} onRewrite={onRewrite} />
      </div>
    </li>
  )
}

function Text({ item: { text, deletedAt, expired, rating, media, reply }, words }: Pick<Props, 'item' | 'words'>) {
  if (deletedAt) return <p className="text-ink-muted italic">This was deleted on the platform.</p>
  if (expired)
    return <p className="text-ink-muted italic">The platform doesn't allow us to keep this text any longer.</p>
  // pictures alone say enough
  if (!text)
    return media.length === 0 && !reply?.files.length ? (
      <p className="text-ink-muted italic">{rating === null ? 'No text' : `No text, ${count(rating, 'star')}`}</p>
    ) : null
  return (
    <p dir="auto" className="break-words whitespace-pre-line">
      <LinkedText text={text} marks={words === undefined ? [] : findMarks(text, words)} />
    </p>
  )
}

function authorOf({ direction, member, person }: InboxItem, channel: { channelName: string }): string {
  if (direction === 'sent') return member?.name ?? channel.channelName
  return person?.name || person?.handle || 'Unknown person'
}
