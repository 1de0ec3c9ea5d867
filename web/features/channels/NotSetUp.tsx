import type { PlatformKey } from '#contract/platforms/rules.ts'
import { useIsOrgAdmin } from '#web/lib/permissions.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Link } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { Way } from './useWays.ts'

/** Why a platform can't be connected, and who can change that. */
export function NotSetUp({ ids, platform, way }: { ids: ProjectIds; platform: PlatformKey; way: Way }) {
  const maySetUp = useIsOrgAdmin(ids)
  return (
    <Banner
      tone="info"
      title={`You can't connect ${platformName(platform)} yet`}
      actions={way.wantsApp && maySetUp ? <SetUpLink ids={ids} platform={platform} /> : null}
    >
      {way.problem} {way.wantsApp && !maySetUp ? 'An organization admin can set it up.' : null}
    </Banner>
  )
}

/** To the page where a platform is set up, for organization admins. */
export function SetUpLink({ ids, platform }: { ids: ProjectIds; platform: PlatformKey }) {
  return (
    <Link
      to="/$orgId/project/$projectId/channels/setup"
      params={ids}
      search={{ app: platform }}
      className="justify-self-start text-sm"
    >
      Set up<span className="sr-only"> {platformName(platform)}</span>
    </Link>
  )
}
