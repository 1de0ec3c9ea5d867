import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Notice } from '#contract/notices.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { insideApp } from '#web/lib/redirect.ts'
import { toast } from '#web/ui/toast.ts'

/** Up to when this window has seen notifications, by project: what was there on arrival isn't new. */
const seen = new Map<string, string>()

/** Shows at once, and once, that a post failed while the person is working; everything else waits under the bell. */
export function useUrgentNotices({ orgId, projectId }: ProjectIds, notices: readonly Notice[] | undefined): void {
  const router = useRouter()
  useEffect(() => {
    if (!notices) return
    const before = seen.get(projectId)
    seen.set(
      projectId,
      notices.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), before ?? ''),
    )
    if (before === undefined || document.visibilityState !== 'visible') return
    const news = freshFailures(notices, before, router.state.location)
    const [first] = news
    if (!first) return
    const open = insideApp(first.link ?? undefined)
    if (news.length > 1)
      toast.error(`${news.length} posts need attention`, {
        action: {
          label: 'See all',
          onClick: () =>
            void router.navigate({
              to: '/$orgId/project/$projectId/notices',
              params: { orgId, projectId },
              search: { topic: 'failed_posts' },
            }),
        },
      })
    else
      toast.error(first.title, {
        id: first.noticeId,
        ...(open ? { action: { label: 'Open', onClick: () => void router.navigate({ href: open }) } } : {}),
      })
  }, [notices, orgId, projectId, router])
}

/** Unread notifications about failed posts that came since `before`, except about a post that is currently open. */
export function freshFailures(
  notices: readonly Notice[],
  before: string,
  { pathname, search }: { pathname: string; search: { post?: string | undefined } },
): Notice[] {
  const isOpen = (link: string | null) =>
    link !== null && (link === pathname || (search.post !== undefined && link.endsWith(`/${search.post}`)))
  return notices.filter(
    (notice) => notice.topic === 'failed_posts' && !notice.read && notice.createdAt > before && !isOpen(notice.link),
  )
}
