import { postLinks } from '#contract/links/postLinks.ts'
import type { Post } from '#contract/posts.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ResultingLink } from '#web/ui/ResultingLink.tsx'

/** Each link of a post, and the address that is published for it. */
export default function PostLinks({ post }: { post: Post }) {
  const ids = useProjectIds()
  const found = useCall(postLinks, { params: { ...ids, postId: post.postId } }, { handles: true })
  if (!found.data) return found.isError ? 'Not available right now' : '…'
  return (
    <ul className="grid gap-1.5">
      {found.data.links.map(({ address, target, shortUrl, shortened }) => (
        <li key={address}>
          <ResultingLink
            address={address}
            target={target ?? undefined}
            short={shortUrl ?? (shortened ? 'A short link' : undefined)}
          />
        </li>
      ))}
    </ul>
  )
}
