import { useState } from 'react'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import Send from 'lucide-react/icons/send'
import Trash from 'lucide-react/icons/trash'
import type { Post } from '#contract/posts.ts'
import { canDo } from '#contract/postStates.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ButtonLink, OutsideButtonLink } from '#web/ui/Link.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { DeleteDialog } from './DeleteDialog.tsx'
import type { PostRights } from './usePostRights.ts'
import type { usePostActions } from './usePostActions.ts'

type Props = { post: Post; actions: ReturnType<typeof usePostActions>; rights: PostRights; onMove: () => void; onGone?: () => void }

/** What can be done to the post in its state, by this person. The first is what people come for. */
export function PostButtons({ post, actions, rights, onMove, onGone }: Props) {
  const ids = useProjectIds()
  const [asking, setAsking] = useState<'send' | 'delete'>()
  const can = {
    edit: canDo('edit', post.status) && rights.edit,
    move: canDo('reschedule', post.status) && post.status !== 'DRAFTS' && rights.publish,
    retry: canDo('retry', post.status) && rights.publish,
    send: canDo('sendNow', post.status) && post.status !== 'DRAFTS' && post.status !== 'FAILED' && rights.publish,
    remove: canDo('delete', post.status) && rights.remove,
  }
  const remove = async (platform: 'keep' | 'delete' = 'keep') => {
    if (await actions.remove(post, platform)) onGone?.()
  }
  return (
    <>
      {can.edit ? (
        <ButtonLink to="/$orgId/project/$projectId/compose" params={ids} search={post.status === 'DRAFTS' ? { draft: post.postId } : { edit: post.postId }}>
          Edit
        </ButtonLink>
      ) : null}
      {can.move ? <Button onClick={onMove}>Move to another time</Button> : null}
      {can.retry && post.failure?.action !== 'retry' && post.failure?.action !== 'reconnect' ? (
        <Button loading={actions.busy} onClick={() => void actions.retry(post)}>
          Retry
        </Button>
      ) : null}
      {post.status === 'PUBLISHED' && post.permalink && post.channel ? (
        <OutsideButtonLink href={post.permalink} icon={<ExternalLink size={14} aria-hidden />}>
          View on {platformName(post.channel.platformName)}
        </OutsideButtonLink>
      ) : null}
      {can.send || can.remove ? (
        <span className="ml-auto">
          <Menu label="More" align="end" side="top" trigger={<IconButton label="More" icon={<Ellipsis size={16} />} />}>
            {can.send ? (
              <MenuItem icon={<Send size={14} />} onSelect={() => setAsking('send')}>
                Send now
              </MenuItem>
            ) : null}
            {can.remove ? (
              <MenuItem danger icon={<Trash size={14} />} onSelect={() => (post.status === 'PUBLISHED' ? setAsking('delete') : void remove())}>
                Delete
              </MenuItem>
            ) : null}
          </Menu>
        </span>
      ) : null}
      <ConfirmDialog
        open={asking === 'send'}
        onOpenChange={(open) => (open ? undefined : setAsking(undefined))}
        title="Send this post now?"
        action="Send now"
        danger={false}
        onConfirm={() => {
          setAsking(undefined)
          void actions.sendNow(post)
        }}
      >
        It goes out at once instead of at its time.
      </ConfirmDialog>
      {asking === 'delete' ? <DeleteDialog post={post} onClose={() => setAsking(undefined)} onDelete={(platform) => void remove(platform)} /> : null}
    </>
  )
}
