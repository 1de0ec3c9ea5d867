import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PostState } from '#contract/postStates.ts'
import { editingPost, PRESENCE_SECONDS, type Editor } from '#contract/presence.ts'
import { call } from '#web/lib/client.ts'
import type { ProjectIds } from '#web/lib/project.ts'

/**
 * Who else is writing this post right now, and what has become of it. Saying that you are here is the same call; live
 * events repeat it.
 */
export function useEditors(
  { orgId, projectId }: ProjectIds,
  postId: string,
  enabled: boolean,
): { editors: readonly Editor[]; status: PostState | undefined } {
  const params = { orgId, projectId, postId }
  const presence = useQuery({
    queryKey: [editingPost.path, params],
    queryFn: ({ signal }) => call(editingPost, { params, body: { editing: true }, signal }),
    enabled,
    refetchInterval: (PRESENCE_SECONDS / 2) * 1000,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    // not knowing who else is here is no failure of writing
    meta: { handles: true, reads: editingPost.reads },
  })
  useEffect(() => {
    if (!enabled) return undefined
    return () => {
      // closing the composer says so at once; a tab that dies is forgotten by itself
      call(editingPost, { params: { orgId, projectId, postId }, body: { editing: false } }).catch(() => undefined)
    }
  }, [orgId, projectId, postId, enabled])
  return {
    editors: presence.data?.editors ?? [],
    status: presence.data?.status,
  }
}
