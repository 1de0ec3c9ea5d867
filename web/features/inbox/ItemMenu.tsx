import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import Heart from 'lucide-react/icons/heart'
import HeartOff from 'lucide-react/icons/heart-off'
import Pencil from 'lucide-react/icons/pencil'
import Reply from 'lucide-react/icons/reply'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getConversation, InboxItem } from '#contract/inbox/conversations.ts'
import { inboxRules, whyNotDone } from '#contract/platforms/inboxRegistry.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'
import { EditReplyDialog } from './EditReplyDialog.tsx'
import type { ConversationRow } from './heldConversations.ts'
import { editedIn, ownText } from './look.ts'
import { reactionWord } from './reactionLook.ts'
import type { Replies } from './useReplies.ts'

type Props = {
  item: InboxItem
  row: ConversationRow
  /** All that is shown of the conversation, and how it can be answered. */
  open: Pick<ReplyOf<typeof getConversation>, 'items' | 'can'>
  author: string
  replies: Replies
  onAnswer: ((itemId: string) => void) | undefined
}

/** What can be done with one item. What the platform doesn't let anyone do says so. */
export function ItemMenu({ item, row, open, author, replies, onAnswer }: Props) {
  const [asking, setAsking] = useState<'edit' | 'delete'>()
  const { text, url, direction, can, reply, reaction, hidden } = item
  const platform = row.channel.platformName
  const place = platformName(platform)
  const holds = inboxRules[platform].kinds[row.kind]?.hidingHolds
  const lacking = (['react', 'hide', 'delete'] as const).flatMap((action) => {
    const why = direction === 'received' ? whyNotDone(platform, row.kind, action) : null
    return why === null ? [] : [{ action, why, ...lackingLook[action] }]
  })
  const isSent = reply === null || reply.state === 'SENT'
  if (item.deletedAt !== null || !isSent || (!text && !url && lacking.length === 0)) return null
  const copy = () =>
    void navigator.clipboard.writeText(text ?? '').then(
      () => toast.success('Copied'),
      () => toast.error("Your browser didn't allow copying."),
    )
  const remove = () => {
    setAsking(undefined)
    void (reply ? replies.remove(row, reply.replyId) : replies.deleteItem(row, item.itemId))
  }
  const [only] = can.react
  return (
    <>
      {can.react.length === 1 && only ? (
        <IconButton
          size="s"
          label={reaction ? 'Take the like back' : `Like what ${author} wrote`}
          aria-pressed={reaction !== null}
          icon={<Heart size={14} {...(reaction ? { fill: 'currentColor' } : {})} />}
          onClick={() => replies.react(row, item, reaction ? null : only)}
          className={reaction ? 'text-accent!' : shownNear}
        />
      ) : null}
      <Menu
        align="end"
        trigger={
          <IconButton
            size="s"
            label={`Actions for what ${author} wrote`}
            icon={<Ellipsis size={14} />}
            className={shownNear}
          />
        }
      >
        {onAnswer ? (
          <MenuItem icon={<Reply size={14} aria-hidden />} onSelect={() => onAnswer(item.itemId)}>
            Reply to this
          </MenuItem>
        ) : null}
        {can.react.length > 1
          ? can.react.map((kind) => (
              <MenuItem
                key={kind}
                icon={<Heart size={14} aria-hidden />}
                end={kind === reaction ? 'Yours' : undefined}
                onSelect={() => replies.react(row, item, kind)}
              >
                {reactionWord(kind)}
              </MenuItem>
            ))
          : null}
        {can.react.length > 1 && reaction ? (
          <MenuItem icon={<HeartOff size={14} aria-hidden />} onSelect={() => replies.react(row, item, null)}>
            Take the reaction back
          </MenuItem>
        ) : null}
        {url ? (
          <MenuItem asChild>
            <OutsideLink href={url} className="text-ink! no-underline!">
              <ExternalLink size={14} aria-hidden className="mr-2.5 inline text-ink-muted" />
              Open on {place}
            </OutsideLink>
          </MenuItem>
        ) : null}
        {text ? (
          <MenuItem icon={<Copy size={14} aria-hidden />} onSelect={copy}>
            Copy text
          </MenuItem>
        ) : null}
        {can.edit && reply ? (
          <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={() => setAsking('edit')}>
            Edit
          </MenuItem>
        ) : null}
        {item.held && can.approve ? (
          <MenuItem icon={<Check size={14} aria-hidden />} onSelect={() => replies.approve(row, item)}>
            Approve
          </MenuItem>
        ) : can.hide ? (
          <MenuItem
            icon={hidden ? <Eye size={14} aria-hidden /> : <EyeOff size={14} aria-hidden />}
            onSelect={() => replies.hide(row, item, !hidden)}
          >
            {hidden ? `Show on ${place}` : holds ? 'Hold for review' : `Hide on ${place}`}
          </MenuItem>
        ) : null}
        {can.delete ? (
          <>
            <MenuSeparator />
            <MenuItem danger icon={<Trash size={14} aria-hidden />} onSelect={() => setAsking('delete')}>
              Delete on {place}
            </MenuItem>
          </>
        ) : null}
        {lacking.map(({ action, why, word, icon: Icon }) => (
          <MenuItem key={action} icon={<Icon size={14} aria-hidden />} why={why}>
            {word}
          </MenuItem>
        ))}
      </Menu>
      {asking === 'edit' && reply ? (
        <EditReplyDialog
          text={ownText(item)}
          row={row}
          answered={editedIn(open.items, row, item)}
          limits={open.can.reply}
          onClose={() => setAsking(undefined)}
          onSave={(next) => replies.edit(row, reply.replyId, next)}
        />
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          open
          danger
          onOpenChange={() => setAsking(undefined)}
          title={reply ? 'Delete this reply?' : `Delete what ${author} wrote?`}
          action={`Delete on ${place}`}
          onConfirm={remove}
        >
          It disappears on {place} for everyone. This can't be undone.
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** On touch always, with a mouse near the pointer or the focus. */
const shownNear =
  'pointer-fine:opacity-0 group-focus-within/item:opacity-100 group-hover/item:opacity-100 data-[state=open]:opacity-100'
const lackingLook = {
  react: { word: 'React', icon: Heart },
  hide: { word: 'Hide', icon: EyeOff },
  delete: { word: 'Delete', icon: Trash },
} as const
