import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { connectWays } from '#contract/connect.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'

type Props = {
  ids: ProjectIds
  /** Nothing is connected yet: this comes first, with the whole page's room. */
  first?: boolean
}

/** Every platform, one click from connecting it; what a platform still needs is shown there. */
export function ConnectProfile({ ids, first = false }: Props) {
  const ways = useCall(connectWays, { params: ids }, { handles: true }).data?.platforms
  return (
    <Panel title="Connect Social Profile">
      {first ? <p className="text-ink-muted">Connect an account to start publishing.</p> : null}
      <ul className={clsx(paperClass, 'grid grid-cols-6 gap-1 p-2', first && 'md:grid-cols-11')}>
        {platformKeys.map((platform) => {
          const way = ways?.find((one) => one.platform === platform)
          const isMissing = way !== undefined && !way.form && !way.page
          const name = isMissing ? `${platformName(platform)}, not set up yet` : platformName(platform)
          return (
            <li key={platform}>
              <Link
                to="/$orgId/project/$projectId/channels"
                params={ids}
                search={{ connect: platform }}
                aria-label={`Connect ${name}`}
                title={name}
                className="grid h-11 place-items-center rounded-md hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span className={isMissing ? 'opacity-60 grayscale' : undefined}>
                  <PlatformIcon platform={platform} size={24} named />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
