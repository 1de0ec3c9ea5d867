import { clsx } from 'clsx'
import { useState } from 'react'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { PlatformIcon } from './PlatformIcon.tsx'

type Props = {
  name: string
  src?: string | null | undefined
  size?: number
  /** A channel's picture has its platform's logo in the corner. */
  platform?: PlatformKey
  /** People are round, organizations and projects are square. */
  square?: boolean
  className?: string
}

/** A picture, or the initials if there is none. Decorative: the name is next to it. */
export function Avatar({ name, src, size = 28, platform, square = false, className }: Props) {
  const [broken, setBroken] = useState<string>()
  const corner = size < 24 ? 'rounded-sm' : 'rounded-md'
  const shown = src && src !== broken ? src : undefined
  return (
    <span
      aria-hidden
      className={clsx('relative inline-grid shrink-0', className)}
      style={{ width: size, height: size }}
    >
      {shown ? (
        <img
          src={shown}
          alt=""
          loading="lazy"
          onError={() => setBroken(shown)}
          className={clsx('size-full bg-sunken object-cover', square ? corner : 'rounded-full')}
        />
      ) : (
        <span
          className={clsx(
            'grid size-full place-items-center font-bold tracking-tight',
            square
              ? clsx(corner, 'bg-accent text-on-accent')
              : 'rounded-full bg-accent-soft text-accent inset-ring inset-ring-accent/20',
          )}
          style={{ fontSize: Math.max(9, Math.round(size * 0.42)) }}
        >
          {platform && size < 30 ? initials(name).slice(0, 1) : initials(name)}
        </span>
      )}
      {platform ? (
        <PlatformIcon
          platform={platform}
          named
          size={Math.max(13, Math.round(size * 0.48))}
          className="absolute -right-1 -bottom-1 box-content ring-2! ring-surface!"
        />
      ) : null}
    </span>
  )
}

/** "Northlight Coffee" -> "NC", "ana" -> "A", "@ana" -> "A", "Studio 54" -> "S"; digits only where there are no letters. */
export function initials(name: string): string {
  const words = name.split(/[\s._-]+/)
  const firsts = (sign: RegExp) => words.flatMap((word) => sign.exec(word)?.[0] ?? [])
  const letters = firsts(/\p{L}/u)
  const [first = '', ...rest] = letters.length > 0 ? letters : firsts(/\p{N}/u)
  return (first + (rest.at(-1) ?? '')).toLocaleUpperCase() || '?'
}
