import { useState } from 'react'
import type { PostRow } from '#contract/postLists.ts'
import type { Scope } from '#contract/posts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { isInSeries } from './moving.ts'
import { ScopeChoice } from './ScopeChoice.tsx'

export type Deleting = { platform: 'keep' | 'delete'; scope: Scope }

/** Whether deleting needs a question first: where, or how many of a series. */
export function asksBeforeDeleting(post: Pick<PostRow, 'status' | 'series'>): boolean {
  return post.status === 'PUBLISHED' || isInSeries(post)
}

/** A published post is in two places, one of a series is one of many: what should be deleted? */
export function DeleteDialog({
  post,
  onClose,
  onDelete,
}: {
  post: PostRow
  onClose: () => void
  onDelete: (how: Deleting) => void
}) {
  const [where, setWhere] = useState<'keep' | 'delete'>('keep')
  const [scope, setScope] = useState<Scope>('this')
  const platform = post.channel ? platformName(post.channel.platformName) : 'the platform'
  const published = post.status === 'PUBLISHED'
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete this post?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="danger"
            onClick={() => {
              onDelete({ platform: where, scope })
              onClose()
            }}
          >
            {published
              ? where === 'keep'
                ? 'Delete here'
                : `Delete here and on ${platform}`
              : scope === 'this'
                ? 'Delete post'
                : 'Delete posts'}
          </Button>
        </>
      }
    >
      {published ? (
        <RadioGroup
          label="Where"
          labelHidden
          value={where}
          onChange={setWhere}
          choices={[
            { value: 'keep', label: 'Only in Rookery', hint: `It stays on ${platform}. You can undo this.` },
            {
              value: 'delete',
              label: `Here and on ${platform}`,
              hint: `Likes and replies there are lost. This can't be undone.`,
            },
          ]}
        />
      ) : (
        <ScopeChoice
          post={post}
          value={scope}
          onChange={setScope}
          hint="Published posts and posts being published aren't deleted."
        />
      )}
    </Dialog>
  )
}
