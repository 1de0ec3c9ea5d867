import Hash from 'lucide-react/icons/hash'
import Smile from 'lucide-react/icons/smile'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { hashTagWords } from './hashtags.ts'

const EmojiList = lazy(() => import('./EmojiList.tsx'))
const HashtagDialog = lazy(() => import('./HashtagDialog.tsx'))

type Props = {
  ids: ProjectIds
  /** The current text. */
  textOf: () => string
  /** Inserts the text at the caret. */
  onInsert: (words: string) => void
}

/** Buttons that insert something into the text: an emoji, a group of hashtags. */
export function TextTools({ ids, textOf, onInsert }: Props) {
  const [emoji, setEmoji] = useState(false)
  const [tags, setTags] = useState(false)
  const mayTag = useMay([['hash_tags', 'view']]) === 'yes'
  return (
    <>
      <Popover
        label="Emoji"
        open={emoji}
        onOpenChange={setEmoji}
        className="w-76"
        trigger={<IconButton label="Add an emoji" icon={<Smile size={17} />} />}
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
              onChoose={(sign) => {
                setEmoji(false)
                onInsert(sign)
              }}
            />
          </Suspense>
        </Contained>
      </Popover>
      {mayTag ? <IconButton label="Add hashtags" icon={<Hash size={17} />} onClick={() => setTags(true)} /> : null}
      {tags ? (
        <Contained>
          <Suspense fallback={null}>
            <HashtagDialog
              ids={ids}
              onClose={() => setTags(false)}
              onInsert={(found) => {
                const text = textOf()
                const words = hashTagWords(found, text)
                setTags(false)
                if (words) onInsert(text === '' || /\s$/.test(text) ? words : ` ${words}`)
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </>
  )
}
