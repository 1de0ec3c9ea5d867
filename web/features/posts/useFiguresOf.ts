import { useMemo } from 'react'
import { postReports } from '#contract/insights.ts'
import type { PostRow } from '#contract/postLists.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { figuresText } from './figuresInShort.ts'

/** What the published ones of these posts got, in a few words; they come after the list. */
export function useFiguresOf(rows: readonly Pick<PostRow, 'postId' | 'status'>[]): (postId: string) => string {
  const ids = useProjectIds()
  const postIds = rows.filter(({ status }) => status === 'PUBLISHED').map(({ postId }) => postId)
  const found = useCall(
    postReports,
    { params: ids, query: { postIds } },
    { handles: true, keepPrevious: true, enabled: postIds.length > 0 },
  )
  const texts = useMemo(
    () => new Map(found.data?.reports.map(({ postId, figures }) => [postId, figuresText(figures)])),
    [found.data],
  )
  return (postId) => texts.get(postId) ?? ''
}
