import { platformRules } from '#contract/platforms/registry.ts'
import { Words } from './Frame.tsx'
import { MediaView } from './MediaView.tsx'
import type { Previewed } from './previewed.ts'

/** How many files these previews show at once; the others show four. */
const single = new Set<Previewed['platform']>(['instagram', 'pinterest', 'tiktok', 'youtube', 'googlemybusiness'])
const upright = new Set<Previewed['postType']>(['reel', 'story', 'shorts'])

/** What the platform only shows after a tap: people who decide on a post, or look at it later, see all of it. */
export function Rest({ post }: { post: Previewed }) {
  const hidesWords = post.text !== '' && (upright.has(post.postType) || post.platform === 'tiktok')
  const hidesFiles = post.images.length > (single.has(post.platform) || upright.has(post.postType) ? 1 : 4)
  return (
    <>
      {hidesWords ? (
        <section aria-label="Text" className="grid gap-1">
          <p className="text-sm font-semibold text-ink-muted">Text</p>
          <Words post={post} linkClass="text-accent" />
        </section>
      ) : null}
      {hidesFiles ? (
        <section aria-label="Files" className="grid gap-1">
          <p className="text-sm font-semibold text-ink-muted">All {post.images.length} files</p>
          <ol aria-label={`All files for ${platformRules[post.platform].label}`} className="grid grid-cols-3 gap-1.5">
            {post.images.map((image, i) => (
              <li
                key={image.key}
                className="relative aspect-square overflow-hidden rounded-md bg-sunken inset-ring inset-ring-line"
              >
                <MediaView media={image} className="size-full object-contain!" />
                <span
                  aria-hidden
                  className="tnum absolute top-1 left-1 rounded-sm bg-black/75 px-1 text-xs font-semibold text-white"
                >
                  {i + 1}
                </span>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
    </>
  )
}
