import { lazy, Suspense, useState } from 'react'
import Ellipsis from 'lucide-react/icons/ellipsis'
import ExternalLink from 'lucide-react/icons/external-link'
import type { Post } from '#contract/posts.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { ButtonLink, OutsideButtonLink } from '#web/ui/Link.tsx'
import { Menu } from '#web/ui/Menu.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { asksBeforeDeleting, DeleteDialog, type Deleting } from './DeleteDialog.tsx'
import { PostMenuItems } from './PostMenuItems.tsx'
import { SendNowDialog } from './SendNowDialog.tsx'
import type { PostRights } from './usePostRights.ts'
import type { usePostActions } from './usePostActions.ts'
import { whyNot } from './whyNot.ts'

const BioDialog = lazy(() => import('./BioDialog.tsx'))

type Props = {
  post: Post
  actions: ReturnType<typeof usePostActions>
  rights: PostRights
  onMove: () => void
  onGone?: () => void
}

/** What the person can do with the post in its status. The first is the most common. */
export function PostButtons({ post, actions, rights, onMove, onGone }: Props) {
  const ids = useProjectIds()
  const [asking, setAsking] = useState<'send' | 'delete' | 'bio'>()
  const now = useNow()
  const may = (action: Parameters<typeof whyNot>[0]) => whyNot(action, post, rights, now) === undefined
  const remove = async (how?: Deleting) => {
    if (await actions.remove(post, how)) onGone?.()
  }
  const isPublished = post.status === 'PUBLISHED'
  const mayShow = useMay([['post', 'edit']]) === 'yes' && isPublished
  const hasMenu =
    post.status !== 'DELETED' &&
    (mayShow || may('sendNow') || may('retry') || may('delete') || (rights.create && !isPublished))
  return (
    <>
      {may('edit') || (isPublished && post.changesThere && rights.edit && rights.publish) ? (
        <ButtonLink
          to="/$orgId/project/$projectId/compose"
          params={ids}
          search={post.status === 'DRAFTS' ? { draft: post.postId } : { edit: post.postId }}
        >
          Edit
        </ButtonLink>
      ) : null}
      {may('reschedule') ? <Button onClick={onMove}>Reschedule</Button> : null}
      {may('retry') && post.failure?.action !== 'retry' && post.failure?.action !== 'reconnect' ? (
        <Button loading={actions.busy} onClick={() => void actions.retry(post)}>
          Retry
        </Button>
      ) : null}
      {isPublished && post.permalink && post.channel ? (
        <OutsideButtonLink href={post.permalink} icon={<ExternalLink size={14} aria-hidden />}>
          View on {platformName(post.channel.platformName)}
        </OutsideButtonLink>
      ) : null}
      {isPublished && rights.create ? (
        <ButtonLink to="/$orgId/project/$projectId/compose" params={ids} search={{ copy: post.postId }}>
          Duplicate
        </ButtonLink>
      ) : null}
      {hasMenu ? (
        <span className="ml-auto">
          <Menu label="More" align="end" side="top" trigger={<IconButton label="More" icon={<Ellipsis size={16} />} />}>
            <PostMenuItems
              post={post}
              rights={rights}
              onBio={mayShow ? () => setAsking('bio') : undefined}
              onSend={() => setAsking('send')}
              onRetry={() => void actions.retry(post)}
              onDelete={() => (asksBeforeDeleting(post) ? setAsking('delete') : void remove())}
              duplicates={!isPublished}
            />
          </Menu>
        </span>
      ) : null}
      {asking === 'bio' ? (
        <Suspense>
          <BioDialog post={post} onClose={() => setAsking(undefined)} />
        </Suspense>
      ) : null}
      {asking === 'send' ? (
        <SendNowDialog onClose={() => setAsking(undefined)} onSend={() => void actions.sendNow(post)} />
      ) : null}
      {asking === 'delete' ? (
        <DeleteDialog post={post} onClose={() => setAsking(undefined)} onDelete={(how) => void remove(how)} />
      ) : null}
    </>
  )
}
