import { useState } from 'react'
import FileText from 'lucide-react/icons/file-text'
import Film from 'lucide-react/icons/film'
import Image from 'lucide-react/icons/image'
import Link from 'lucide-react/icons/link'
import Music from 'lucide-react/icons/music'
import type { LucideIcon } from 'lucide-react'
import type { InboxItem } from '#contract/inbox/conversations.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { OutsideLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'

type Media = InboxItem['media'][number]
const looks: Record<Media['kind'], { word: string; icon: LucideIcon }> = {
  image: { word: 'Picture', icon: Image },
  video: { word: 'Video', icon: Film },
  audio: { word: 'Audio', icon: Music },
  file: { word: 'File', icon: FileText },
  link: { word: 'Link', icon: Link },
}

type Props = {
  media: readonly Media[]
  /** The item on the platform, where files that we don't fetch can be seen. */
  url: string | null
  platform: PlatformKey
}

/** Files and links of an item. */
export function Attachments({ media, url, platform }: Props) {
  if (media.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-1.5">
      {media.map((one, place) => (
        <li key={place} className="min-w-0 max-w-full">
          <Attachment media={one} itemUrl={url} platform={platform} />
        </li>
      ))}
    </ul>
  )
}

function Attachment({ media, itemUrl, platform }: { media: Media; itemUrl: string | null; platform: PlatformKey }) {
  const { kind, url, name, altText } = media
  const { word, icon: Icon } = looks[kind]
  const [unseen, setUnseen] = useState(false)
  if (kind === 'image' && url && !unseen) {
    // as large as our server draws it; the whole picture is on the platform
    const picture = (
      <img
        src={url}
        alt={altText || name || 'Picture'}
        loading="lazy"
        onError={() => setUnseen(true)}
        className="size-32 rounded-md bg-sunken object-cover"
      />
    )
    return itemUrl ? (
      <OutsideLink href={itemUrl} className="block">
        {picture}
      </OutsideLink>
    ) : (
      picture
    )
  }
  // a picture's address is of a small copy
  const own = kind === 'image' ? null : url
  const address = own ?? itemUrl
  const text = name || altText || (kind === 'link' && own ? own : word)
  const look =
    'flex min-h-8 max-w-full min-w-0 items-center gap-2 rounded-md bg-sunken px-2.5 py-1 text-sm inset-ring inset-ring-line'
  const content = (
    <>
      <Icon size={14} aria-hidden className="shrink-0 text-ink-muted" />
      {text === word ? null : <span className="sr-only">{word}: </span>}
      <span dir="auto" className="truncate">
        {text}
      </span>
      {own || !itemUrl ? null : <span className="shrink-0 text-ink-muted">on {platformName(platform)}</span>}
    </>
  )
  return address ? (
    <OutsideLink href={address} className={look}>
      {content}
    </OutsideLink>
  ) : (
    <span className={look}>{content}</span>
  )
}
