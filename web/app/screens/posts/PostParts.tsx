import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { postNotes } from '#contract/postNotes.ts'
import type { Post } from '#contract/posts.ts'
import { NotesPanel } from '#web/features/notes/NotesPanel.tsx'
import { PostActivity } from '#web/features/posts/PostActivity.tsx'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Tabs } from '#web/ui/Tabs.tsx'

/** The open post, what colleagues say about it, and all that was done to it. Which part is open stands in the address. */
export function PostParts({ post, children }: { post: Post; children: ReactNode }) {
  const { panel } = useSearch({ strict: false })
  const navigate = useNavigate()
  const notes = useCall(postNotes, { params: { ...useProjectIds(), postId: post.postId } }, { handles: true })
  const written = notes.data?.notes.length
  return (
    <Tabs
      label="Parts of the post"
      className="-mt-2"
      value={panel ?? 'post'}
      onChange={(next) =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, panel: next === 'post' ? undefined : next }),
          replace: true,
        })
      }
      tabs={[
        { value: 'post', label: 'Post', content: children },
        {
          value: 'notes',
          label: 'Notes',
          ...(written ? { count: written } : {}),
          content: <NotesPanel postId={post.postId} />,
        },
        { value: 'activity', label: 'Activity', content: <PostActivity post={post} /> },
      ]}
    />
  )
}
