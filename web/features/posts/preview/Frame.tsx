import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { platformRules } from '#contract/platforms/registry.ts'
import { MediaView } from './MediaView.tsx'
import { RichText } from './RichText.tsx'
import type { Previewed } from './previewed.ts'

/** The box of a preview, named after its platform. */
export function Frame({ post, className, children }: { post: Previewed; className?: string; children: ReactNode }) {
  return (
    <article
      aria-label={`Preview for ${post.name} on ${platformRules[post.platform].label}`}
      className={clsx('min-w-0 overflow-hidden rounded-md border border-line bg-surface', className)}
    >
      {children}
    </article>
  )
}

const cuts = { 3: 'line-clamp-3', 4: 'line-clamp-4', 6: 'line-clamp-6' }

/** The text, with the platform's links in its color; `cut` after this many lines, if it does so. */
export function Words({
  post,
  text = post.text,
  cut,
  className,
  linkClass,
}: {
  post: Previewed
  text?: string
  cut?: keyof typeof cuts
  className?: string
  linkClass: string
}) {
  if (!text) return null
  return (
    <p
      dir="auto"
      className={clsx('[overflow-wrap:anywhere] whitespace-pre-wrap', cut && !post.whole && cuts[cut], className)}
    >
      <RichText text={text} spans={platformRules[post.platform].findSpans(text)} className={linkClass} />
    </p>
  )
}

/** The first image in the platform's shape, or a placeholder for a required one. */
export function Cover({
  post,
  ratio,
  missing,
  className,
}: {
  post: Previewed
  ratio: number
  missing?: string
  className?: string
}) {
  const first = post.images[0]
  if (!first && !missing) return null
  return (
    <div className={clsx('relative w-full overflow-hidden bg-sunken', className)} style={{ aspectRatio: ratio }}>
      {first ? (
        <MediaView media={first} className="size-full" />
      ) : (
        <span className="absolute inset-0 grid place-items-center px-4 text-center text-sm text-ink-muted">
          {missing}
        </span>
      )}
      {post.images.length > 1 ? (
        <span className="tnum absolute top-2 right-2 rounded-full bg-black/70 px-2 py-0.5 text-xs font-semibold text-white">
          1/{post.images.length}
        </span>
      ) : null}
    </div>
  )
}

/** Icons under a post: decoration only. */
export function Actions({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div aria-hidden className={clsx('flex text-ink-muted', className)}>
      {children}
    </div>
  )
}
