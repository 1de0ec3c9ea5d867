import { clsx } from 'clsx'
import type { PostState } from '#contract/postStates.ts'
import { Badge } from './Badge.tsx'
import { postStatusLook } from './postStatus.ts'
import { inkTone } from './tones.ts'

/** A post's status. */
export function StatusBadge({ status }: { status: PostState }) {
  const { word, tone, icon: Icon } = postStatusLook[status]
  return (
    <Badge tone={tone} icon={<Icon size={13} aria-hidden className={status === 'PROCESSING' ? 'animate-turn' : ''} />}>
      {word}
    </Badge>
  )
}

/** The same without room for text: it stays for screen readers and on hover. */
export function StatusMark({ status, size = 13 }: { status: PostState; size?: number }) {
  const { word, tone, icon: Icon } = postStatusLook[status]
  return (
    <span
      role="img"
      aria-label={word}
      title={word}
      className={clsx('inline-grid shrink-0 place-items-center', inkTone[tone])}
    >
      <Icon size={size} aria-hidden />
    </span>
  )
}
