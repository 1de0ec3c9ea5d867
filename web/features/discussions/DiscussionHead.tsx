import Check from 'lucide-react/icons/check'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { deleteDiscussion, resolveDiscussion, type Discussion } from '#contract/discussions.ts'
import { agoOf, count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { toast } from '#web/ui/toast.ts'
import { subjectWords } from './subjects.ts'

type Props = { discussion: Discussion; mayWrite: boolean; onEdit: () => void; onGone: () => void }

/** A discussion's title, what it is about, who takes part, and what can be done with it. */
export function DiscussionHead({ discussion, mayWrite, onEdit, onGone }: Props) {
  const { discussionId, title, about, members, resolved, mayDelete } = discussion
  const ids = useProjectIds()
  const now = useNow()
  const zone = useProjectZone()
  const [asked, setAsked] = useState(false)
  const resolve = useSend(resolveDiscussion, { onSuccess: ({ message }) => toast.success(message ?? 'Saved') })
  const remove = useSend(deleteDiscussion, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Discussion deleted')
      onGone()
    },
  })
  const params = { ...ids, discussionId }
  return (
    <header className="grid gap-1.5">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 dir="auto" className="min-w-0 text-lg font-bold [overflow-wrap:anywhere]">
          {title}
        </h2>
        {mayWrite ? (
          <span className="flex gap-1.5">
            <Button
              size="s"
              icon={resolved ? <RotateCcw size={14} aria-hidden /> : <Check size={14} aria-hidden />}
              loading={resolve.isPending}
              onClick={() => resolve.mutate({ params, body: { resolved: resolved === null } })}
            >
              {resolved ? 'Reopen' : 'Resolve'}
            </Button>
            <Menu align="end" trigger={<IconButton size="s" label="More actions" icon={<Ellipsis size={15} />} />}>
              <MenuItem icon={<Pencil size={14} aria-hidden />} onSelect={onEdit}>
                Edit title and members
              </MenuItem>
              {mayDelete ? (
                <MenuItem danger icon={<Trash size={14} aria-hidden />} onSelect={() => setAsked(true)}>
                  Delete
                </MenuItem>
              ) : null}
            </Menu>
          </span>
        ) : null}
      </div>
      {about ? (
        <p dir="auto" className="truncate">
          <SubjectLink about={about} />
        </p>
      ) : null}
      <p className="text-sm text-ink-muted">
        {members.length > 0
          ? `${count(members.length, 'member')}: ${members.map(({ name }) => name).join(', ')}`
          : 'No members'}
      </p>
      {resolved ? (
        <p className="text-sm text-ink-muted">{`Resolved by ${resolved.by.name} ${agoOf(resolved.at, now, zone)}`}</p>
      ) : null}
      {asked ? (
        <ConfirmDialog
          open
          onOpenChange={() => setAsked(false)}
          title="Delete this discussion?"
          action="Delete discussion"
          loading={remove.isPending}
          onConfirm={() => remove.mutate({ params })}
        >
          {`This also deletes ${count(discussion.messages, 'message')}. You can't undo this.`}
        </ConfirmDialog>
      ) : null}
    </header>
  )
}

function SubjectLink({ about }: { about: NonNullable<Discussion['about']> }) {
  const ids = useProjectIds()
  const words = subjectWords(about)
  switch (about.kind) {
    case 'post':
      return (
        <Link to="/$orgId/project/$projectId/post/$postId" params={{ ...ids, postId: about.id }}>
          {words}
        </Link>
      )
    case 'conversation':
      return (
        <Link to="/$orgId/project/$projectId/inbox" params={ids} search={{ c: about.id }}>
          {words}
        </Link>
      )
    case 'campaign':
    default:
      return (
        <Link to="/$orgId/project/$projectId/campaigns/$campaignId" params={{ ...ids, campaignId: about.id }}>
          {words}
        </Link>
      )
  }
}
