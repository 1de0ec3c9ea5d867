import { clsx } from 'clsx'
import {
  siBluesky,
  siFacebook,
  siGoogle,
  siInstagram,
  siMastodon,
  siPinterest,
  siThreads,
  siTiktok,
  siX,
  siYoutube,
} from 'simple-icons'
import type { PlatformKey } from '#contract/platforms/rules.ts'

// LinkedIn asked simple-icons to remove its logo; this is a plain "in" drawn for us
const linkedin =
  'M3.2 8.2h3.9V21H3.2zM5.15 2.6a2.25 2.25 0 1 1 0 4.5 2.25 2.25 0 0 1 0-4.5zM9.6 8.2h3.7v1.75c.6-1.1 1.95-2.05 3.85-2.05 3.75 0 4.65 2.3 4.65 5.6V21h-3.9v-6.65c0-1.75-.35-3.15-2.15-3.15-1.85 0-2.25 1.45-2.25 3.05V21H9.6z'

/** The only place for the platforms' own colors, each dark enough for a white logo. */
const looks: Record<PlatformKey, { name: string; color: string; path: string }> = {
  facebook: { name: 'Facebook', color: '#1565d8', path: siFacebook.path },
  instagram: { name: 'Instagram', color: '#c13584', path: siInstagram.path },
  linkedin: { name: 'LinkedIn', color: '#0a66c2', path: linkedin },
  x: { name: 'X', color: '#14171a', path: siX.path },
  youtube: { name: 'YouTube', color: '#d90000', path: siYoutube.path },
  pinterest: { name: 'Pinterest', color: '#bd081c', path: siPinterest.path },
  tiktok: { name: 'TikTok', color: '#0f0f0f', path: siTiktok.path },
  threads: { name: 'Threads', color: '#0f0f0f', path: siThreads.path },
  mastodon: { name: 'Mastodon', color: '#5b4be0', path: siMastodon.path },
  bluesky: { name: 'Bluesky', color: '#0b6fe0', path: siBluesky.path },
  googlemybusiness: { name: 'Google Business Profile', color: '#2f7d4f', path: siGoogle.path },
}

export function platformName(platform: PlatformKey): string {
  return looks[platform].name
}

/** A platform's logo on its own color. Its name is announced unless a text next to it says it already (`named`). */
export function PlatformIcon({
  platform,
  size = 16,
  named = false,
  className,
}: {
  platform: PlatformKey
  size?: number
  named?: boolean
  className?: string
}) {
  const { name, color, path } = looks[platform]
  return (
    <span
      {...(named ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name, title: name })}
      className={clsx('inline-grid shrink-0 place-items-center text-white ring-1 ring-white/12', className)}
      style={{ width: size, height: size, borderRadius: Math.max(4, size / 4), background: color }}
    >
      <svg width={size * 0.6} height={size * 0.6} viewBox="0 0 24 24" fill="currentColor" aria-hidden>
        <path d={path} />
      </svg>
    </span>
  )
}
