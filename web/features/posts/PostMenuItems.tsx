import Copy from 'lucide-react/icons/copy'
import Clock from 'lucide-react/icons/clock'
import Pencil from 'lucide-react/icons/pencil'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash'
import type { PostRow } from '#contract/postLists.ts'
import { useNavigate } from '@tanstack/react-router'
import { useProjectIds } from '#web/lib/project.ts'
import { MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import type { PostRights } from './usePostRights.ts'
import { whyNot } from './whyNot.ts'

export type PostMenuActions = {
  onEdit?: () => void
  onMove?: () => void
  onSend: () => void
  onRetry: () => void
  onDelete: () => void
}
type Props = PostMenuActions & { post: PostRow; rights: PostRights }

/** Every action on a post; what its state or the person's role does not allow says why. */
export function PostMenuItems({ post, rights, onEdit, onMove, onSend, onRetry, onDelete }: Props) {
  return (
    <>
      {onEdit ? (
        <MenuItem icon={<Pencil size={14} />} why={whyNot('edit', post, rights)} onSelect={onEdit}>
          Edit
        </MenuItem>
      ) : null}
      {onMove ? (
        <MenuItem icon={<Clock size={14} />} why={whyNot('reschedule', post, rights)} onSelect={onMove}>
          Move to another time
        </MenuItem>
      ) : null}
      <MenuItem icon={<Send size={14} />} why={whyNot('sendNow', post, rights)} onSelect={onSend}>
        Send now
      </MenuItem>
      <MenuItem icon={<RotateCw size={14} />} why={whyNot('retry', post, rights)} onSelect={onRetry}>
        Retry
      </MenuItem>
      <DuplicateItem post={post} rights={rights} />
      <MenuSeparator />
      <MenuItem danger icon={<Trash size={14} />} why={whyNot('delete', post, rights)} onSelect={onDelete}>
        Delete
      </MenuItem>
    </>
  )
}

/** A new draft that begins with what the post says; of a deleted one the way to have it back. */
export function DuplicateItem({ post, rights }: Pick<Props, 'post' | 'rights'>) {
  const ids = useProjectIds()
  const navigate = useNavigate()
  return (
    <MenuItem
      icon={<Copy size={14} />}
      why={rights.create ? undefined : 'Your role does not allow it.'}
      onSelect={() =>
        void navigate({ to: '/$orgId/project/$projectId/compose', params: ids, search: { copy: post.postId } })
      }
    >
      Duplicate
    </MenuItem>
  )
}
