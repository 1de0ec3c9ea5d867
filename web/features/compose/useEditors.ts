import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PostState } from '#contract/postStates.ts'
import { editingPost, PRESENCE_SECONDS, type Editor } from '#contract/presence.ts'
import { call } from '#web/lib/client.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useComposer, useComposerState } from './ComposerContext.ts'
import type { DraftSaver } from './draftSaver.ts'

/**
 * Reports that you're editing this post, and returns who else is. Tells the saver if the server says that the draft was
 * submitted elsewhere.
 */
export function useEditors(saver: DraftSaver, isNew: boolean): readonly Editor[] {
  const { ids, postId, edited } = useComposer()
  const isSaved = useComposerState(({ saving }) => saving.kind === 'saved')
  const enabled = !isNew || isSaved
  const { editors, status } = usePresence(ids, postId, enabled)
  useEffect(() => {
    if (!edited && status !== undefined && status !== 'DRAFTS' && status !== 'DELETED')
      saver.wasSubmittedElsewhere(status)
  }, [saver, edited, status])
  return editors
}

const nobody: readonly Editor[] = []

/** Saying that you are here and asking who else is are one call; live events repeat it. */
function usePresence(
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
    // not knowing who else is editing doesn't matter for writing
    meta: { handles: true, reads: editingPost.reads },
  })
  useEffect(() => {
    if (!enabled) return undefined
    return () => {
      // closing the composer reports it immediately; a crashed tab expires after a while
      call(editingPost, { params: { orgId, projectId, postId }, body: { editing: false } }).catch(() => undefined)
    }
  }, [orgId, projectId, postId, enabled])
  return {
    editors: presence.data?.editors ?? nobody,
    status: presence.data?.status,
  }
}
