import MessagesSquare from 'lucide-react/icons/messages-square'
import { listDiscussions } from '#contract/discussions.ts'
import { plan } from '#contract/organizations.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ButtonLink } from '#web/ui/Link.tsx'

/** What discussions are about. */
export type DiscussionsAbout = { postId: string } | { conversationId: string } | { campaignId: string }

/** How many open discussions there are about something; undefined while that isn't known, and where the plan lacks them. */
export function useDiscussionCount(about: DiscussionsAbout): number | undefined {
  const ids = useProjectIds()
  const mayRead = useMay([['note', 'view']]) === 'yes'
  const facts = useCall(plan, { params: { orgId: ids.orgId } }, { handles: true })
  const open = facts.data !== undefined && !facts.data.closed.includes('discussion') && mayRead
  const found = useCall(
    listDiscussions,
    { params: ids, query: { ...about, limit: 1 } },
    { handles: true, enabled: open },
  )
  return open ? found.data?.pagination.totalCount : undefined
}

/** The way to the open discussions about something, or to starting one. Nothing where the plan lacks them. */
export function DiscussionsLink({ about }: { about: DiscussionsAbout }) {
  const ids = useProjectIds()
  const n = useDiscussionCount(about)
  const mayWrite = useMay([['note', 'create']]) === 'yes'
  if (n === undefined || (n === 0 && !mayWrite)) return null
  return (
    <ButtonLink
      size="s"
      tone="quiet"
      className="justify-self-start"
      icon={<MessagesSquare size={14} aria-hidden />}
      to="/$orgId/project/$projectId/discussions"
      params={ids}
      search={{ ...about, ...(n === 0 ? { edit: 'new' as const } : {}) }}
    >
      {n === 0 ? 'Start a discussion' : n === 1 ? '1 discussion' : `${n} discussions`}
    </ButtonLink>
  )
}
