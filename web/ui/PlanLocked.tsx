import { useParams } from '@tanstack/react-router'
import { useIsAdminHere } from '#web/lib/project.ts'
import { countedPlatforms } from '#contract/plans.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { Link } from './Link.tsx'
import { platformName } from './PlatformIcon.tsx'

/**
 * Why a channel is paused that nobody disabled, and what to do: the plan doesn't include it, or accounts on its
 * platform.
 */
export function PlanLocked({
  platform,
  waiting = 0,
}: {
  platform: PlatformKey
  /** Posts that wait for it. */ waiting?: number
}) {
  const { orgId, projectId } = useParams({ strict: false })
  const isAdmin = useIsAdminHere()
  return (
    <span className="block max-w-80 text-sm text-pretty text-ink-muted">
      {countedPlatforms.some((one) => one.platform === platform)
        ? `Your plan doesn't have room for this ${platformName(platform)} account.`
        : "Your plan doesn't have room for it."}
      {waiting > 0 ? ` ${waiting} ${waiting === 1 ? 'post is waiting' : 'posts are waiting'}.` : ''}{' '}
      {isAdmin && orgId && projectId ? (
        <Link
          to="/$orgId/project/$projectId/org-settings"
          params={{ orgId, projectId }}
          search={{ tab: 'billing', excess: 'choose' }}
        >
          Choose what stays active
        </Link>
      ) : isAdmin === false ? (
        'Ask your organization admin.'
      ) : null}
    </span>
  )
}
