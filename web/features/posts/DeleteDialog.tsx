import { useState } from 'react'
import type { PostRow } from '#contract/posts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'

/** A published post stands in two places: which of them should it leave? */
export function DeleteDialog({ post, onClose, onDelete }: { post: PostRow; onClose: () => void; onDelete: (platform: 'keep' | 'delete') => void }) {
  const [where, setWhere] = useState<'keep' | 'delete'>('keep')
  const platform = post.channel ? platformName(post.channel.platformName) : 'the platform'
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
              onDelete(where)
              onClose()
            }}
          >
            {where === 'keep' ? 'Delete here' : `Delete here and on ${platform}`}
          </Button>
        </>
      }
    >
      <RadioGroup
        label="Where"
        labelHidden
        value={where}
        onChange={setWhere}
        choices={[
          { value: 'keep', label: 'Only in Rookery', hint: `It stays on ${platform}. This can be undone.` },
          { value: 'delete', label: `Here and on ${platform}`, hint: `Likes and replies there are lost. This cannot be undone.` },
        ]}
      />
    </Dialog>
  )
}
