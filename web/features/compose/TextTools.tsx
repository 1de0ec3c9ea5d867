import Hash from 'lucide-react/icons/hash'
import { lazy, Suspense, useState } from 'react'
import { useMay } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Contained } from '#web/ui/Contained.tsx'
import { EmojiButton } from '#web/ui/EmojiButton.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { hashTagWords } from './hashtags.ts'

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
  const [tags, setTags] = useState(false)
  const mayTag = useMay([['hash_tags', 'view']]) === 'yes'
  return (
    <>
      <EmojiButton onChoose={onInsert} />
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
