import Image from 'lucide-react/icons/image'
import Plus from 'lucide-react/icons/plus'
import { lazy, Suspense, useState } from 'react'
import { BIO } from '#contract/linkInBio/limits.ts'
import { dateOf } from '#web/lib/format.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { Contained } from '#web/ui/Contained.tsx'
import { OutsideLink } from '#web/ui/Link.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import type { BioPost } from './edited.ts'
import { useEditor } from './EditorContext.ts'
import { ItemList } from './ItemList.tsx'

const AddPostsDialog = lazy(() => import('./AddPostsDialog.tsx'))

/** The grid of published posts, each with the link that it leads to. */
export function PostsCard() {
  const { state, dispatch, readOnly } = useEditor()
  const [adding, setAdding] = useState(false)
  const { length } = state.edited.posts
  const isFull = length >= BIO.posts
  return (
    <Panel title="Posts" aside={<span className="tnum text-sm text-ink-muted">{`${length} of ${BIO.posts}`}</span>}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        {length === 0 ? (
          <p className="text-ink-muted">
            {readOnly
              ? 'This page shows no posts.'
              : 'A grid of your published posts. Each leads to the link it’s about.'}
          </p>
        ) : null}
        <ItemList
          list="posts"
          label="Posts"
          noun="post"
          lead={({ post }) => <Picture src={post?.pictureUrl} />}
          about={({ post, label }) => (post ? <Origin post={post} label={label} /> : null)}
        />
        {length > 0 && !readOnly ? (
          <p className="text-sm text-ink-muted">
            The text of a post with a picture is read out to people who don't see the picture.
          </p>
        ) : null}
        {readOnly ? null : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <Button data-add disabled={isFull} icon={<Plus size={15} aria-hidden />} onClick={() => setAdding(true)}>
              Add posts
            </Button>
            {isFull ? <p className="text-sm text-ink-muted">A page has up to {BIO.posts} posts.</p> : null}
          </div>
        )}
      </div>
      {adding ? (
        <Contained>
          <Suspense fallback={null}>
            <AddPostsDialog
              pageId={state.saved.pageId}
              held={state.edited.posts.flatMap(({ post }) => post?.postId ?? [])}
              onClose={() => setAdding(false)}
              onAdd={(posts) => {
                setAdding(false)
                dispatch({ type: 'postsAdded', posts })
              }}
            />
          </Suspense>
        </Contained>
      ) : null}
    </Panel>
  )
}

function Picture({ src }: { src: string | null | undefined }) {
  return src ? (
    <img src={src} alt="" loading="lazy" draggable={false} className="size-8 rounded-sm bg-sunken object-cover" />
  ) : (
    <span className="grid size-8 place-items-center rounded-sm bg-sunken text-ink-faint">
      <Image size={15} aria-hidden />
    </span>
  )
}

/** Which post it is: where and when it was published, and its words, unless the text is made of them. */
function Origin({ post: { platform, excerpt, publishedAt, permalink }, label }: { post: BioPost; label: string }) {
  const zone = useProjectZone()
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <PlatformIcon platform={platform} size={13} />
      <span className="tnum whitespace-nowrap">{dateOf(publishedAt, zone)}</span>
      {excerpt.trim().startsWith(label.trim()) ? null : (
        <span dir="auto" className="truncate">
          {excerpt}
        </span>
      )}
      {permalink ? (
        <OutsideLink href={permalink} className="shrink-0 whitespace-nowrap">
          View post
        </OutsideLink>
      ) : null}
    </span>
  )
}
