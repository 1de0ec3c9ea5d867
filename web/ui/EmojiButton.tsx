import Smile from 'lucide-react/icons/smile'
import { lazy, Suspense, useState } from 'react'
import { Contained } from './Contained.tsx'
import { IconButton } from './IconButton.tsx'
import { Popover } from './Popover.tsx'
import { Skeleton, Skeletons } from './Skeleton.tsx'

const EmojiList = lazy(() => import('./EmojiList.tsx'))

/** Offers emoji for a text. `onChoose` gets the one to insert; the panel first returns the focus to the button. */
export function EmojiButton({ onChoose, size = 17 }: { onChoose: (emoji: string) => void; size?: number }) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      label="Emoji"
      open={open}
      onOpenChange={setOpen}
      className="w-76"
      trigger={<IconButton label="Add an emoji" icon={<Smile size={size} />} />}
    >
      <Contained>
        <Suspense
          fallback={
            <Skeletons>
              <Skeleton className="h-64 w-full" />
            </Skeletons>
          }
        >
          <EmojiList
            onChoose={(emoji) => {
              setOpen(false)
              onChoose(emoji)
            }}
          />
        </Suspense>
      </Contained>
    </Popover>
  )
}
