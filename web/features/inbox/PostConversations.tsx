import MessagesSquare from 'lucide-react/icons/messages-square'
import { listConversations } from '#contract/inbox/conversations.ts'
import type { PostState } from '#contract/postStates.ts'
import { count } from '#web/lib/format.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'

/** Counted up to here. */
const MOST = 20

type Props = { post: { postId: string; status: PostState }; className?: string }

/** The way from a published post to what people wrote under it; nothing where nobody did. */
export function PostConversations({ post: { postId, status }, className = '' }: Props) {
  const ids = useProjectIds()
  const maySee = useMay([['inbox', 'view']]) === 'yes'
  const about = useCall(
    listConversations,
    { params: ids, query: { postId: postId, limit: MOST } },
    { handles: true, enabled: maySee && status === 'PUBLISHED' },
  ).data
  if (!about || about.conversations.length === 0) return null
  return (
    <p className={className}>
      <Link
        to="/$orgId/project/$projectId/inbox"
        params={ids}
        search={{ view: 'all', about: postId }}
        className="inline-flex items-center gap-1.5"
      >
        <MessagesSquare size={14} aria-hidden />
        {about.next === null ? count(about.conversations.length, 'conversation') : `More than ${MOST} conversations`}
      </Link>
    </p>
  )
}
