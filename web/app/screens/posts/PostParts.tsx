import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { postNotes } from '#contract/postNotes.ts'
import type { Post } from '#contract/posts.ts'
import { DiscussionsLink } from '#web/features/discussions/DiscussionsLink.tsx'
import { NotesPanel } from '#web/features/notes/NotesPanel.tsx'
import { PostActivity } from '#web/features/posts/PostActivity.tsx'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Tabs } from '#web/ui/Tabs.tsx'

/** The open post, its internal notes for roles that may read them, and its activity. The address names the open part. */
export function PostParts({ post, children }: { post: Post; children: ReactNode }) {
  const { panel } = useSearch({ strict: false })
  const navigate = useNavigate()
  const mayRead = useMay([['note', 'view']]) === 'yes'
  const notes = useCall(
    postNotes,
    { params: { ...useProjectIds(), postId: post.postId } },
    { handles: true, enabled: mayRead },
  )
  const written = notes.data?.notes.length
  return (
    <Tabs
      label="Post sections"
      className="-mt-2"
      value={panel === undefined || (panel === 'notes' && !mayRead) ? 'post' : panel}
      onChange={(next) =>
        void navigate({
          to: '.',
          search: (before) => ({ ...before, panel: next === 'post' ? undefined : next }),
          replace: true,
        })
      }
      tabs={[
        { value: 'post', label: 'Post', content: children },
        ...(mayRead
          ? [
              {
                value: 'notes' as const,
                label: 'Notes',
                ...(written ? { count: written } : {}),
                content: (
                  <div className="grid gap-3">
                    <DiscussionsLink about={{ postId: post.postId }} />
                    <NotesPanel about={{ postId: post.postId }} />
                  </div>
                ),
              },
            ]
          : []),
        { value: 'activity', label: 'Activity', content: <PostActivity post={post} /> },
      ]}
    />
  )
}
