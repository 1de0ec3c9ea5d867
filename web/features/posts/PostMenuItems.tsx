import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import Clock from 'lucide-react/icons/clock'
import Link2 from 'lucide-react/icons/link-2'
import Pencil from 'lucide-react/icons/pencil'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash'
import X from 'lucide-react/icons/x'
import type { PostRow } from '#contract/postLists.ts'
import type { PostAction } from '#contract/postStates.ts'
import { useNavigate } from '@tanstack/react-router'
import { useNow } from '#web/lib/now.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import type { PostRights } from './usePostRights.ts'
import { whyNot } from './whyNot.ts'

type PostMenuActions = {
  /** The person is an approver. */
  onApprove?: (() => void) | undefined
  onReject?: (() => void) | undefined
  onEdit?: () => void
  onMove?: () => void
  /** Undefined if it can't be shown on a link in bio page. */
  onBio?: (() => void) | undefined
  onSend: () => void
  onRetry: () => void
  onDelete: () => void
}
type Props = PostMenuActions & {
  post: PostRow
  rights: PostRights
  /** False if Duplicate is next to the menu. */
  duplicates?: boolean
}

/** What the person can do with the post in its status. What its status or their role doesn't allow isn't listed. */
export function PostMenuItems(props: Props) {
  const {
    post,
    rights,
    onApprove,
    onReject,
    onEdit,
    onMove,
    onBio,
    onSend,
    onRetry,
    onDelete,
    duplicates = true,
  } = props
  const now = useNow()
  const may = (action: PostAction) => whyNot(action, post, rights, now) === undefined
  return (
    <>
      {onApprove ? (
        <MenuItem icon={<Check size={14} />} onSelect={onApprove}>
          Approve
        </MenuItem>
      ) : null}
      {onReject ? (
        <MenuItem icon={<X size={14} />} onSelect={onReject}>
          Reject
        </MenuItem>
      ) : null}
      {onEdit && may('edit') ? (
        <MenuItem icon={<Pencil size={14} />} onSelect={onEdit}>
          Edit
        </MenuItem>
      ) : null}
      {onMove && may('reschedule') ? (
        <MenuItem icon={<Clock size={14} />} onSelect={onMove}>
          Reschedule
        </MenuItem>
      ) : null}
      {may('sendNow') ? (
        <MenuItem icon={<Send size={14} />} onSelect={onSend}>
          Send now
        </MenuItem>
      ) : null}
      {may('retry') ? (
        <MenuItem icon={<RotateCw size={14} />} onSelect={onRetry}>
          Retry
        </MenuItem>
      ) : null}
      {onBio ? (
        <MenuItem icon={<Link2 size={14} />} onSelect={onBio}>
          Add to link in bio
        </MenuItem>
      ) : null}
      {duplicates ? <DuplicateItem post={post} rights={rights} /> : null}
      {may('delete') ? (
        <>
          <MenuSeparator />
          <MenuItem danger icon={<Trash size={14} />} onSelect={onDelete}>
            Delete
          </MenuItem>
        </>
      ) : null}
    </>
  )
}

/** A new draft with the post's content; for a deleted post, the way to get it back. */
export function DuplicateItem({ post, rights }: Pick<Props, 'post' | 'rights'>) {
  const ids = useProjectIds()
  const navigate = useNavigate()
  if (!rights.create) return null
  return (
    <MenuItem
      icon={<Copy size={14} />}
      onSelect={() =>
        void navigate({ to: '/$orgId/project/$projectId/compose', params: ids, search: { copy: post.postId } })
      }
    >
      Duplicate
    </MenuItem>
  )
}
