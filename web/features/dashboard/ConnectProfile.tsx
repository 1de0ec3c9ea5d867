import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import Plus from 'lucide-react/icons/plus'
import { connectWays } from '#contract/connect.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'

type Props = {
  ids: ProjectIds
  /** Nothing is connected yet: this is the first step, with the whole page's room. */
  first?: { mayWrite: boolean }
}

/** Every platform, one click from connecting it; what a platform still needs is shown there. */
export function ConnectProfile({ ids, first }: Props) {
  const ways = useCall(connectWays, { params: ids }, { handles: true }).data?.platforms
  return (
    <Panel title="Connect Social Profile">
      {first ? <FirstStep ids={ids} mayWrite={first.mayWrite} /> : null}
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

function FirstStep({ ids, mayWrite }: { ids: ProjectIds; mayWrite: boolean }) {
  return (
    <div className="grid justify-items-start gap-3 pb-1">
      <p className="text-ink-muted">
        Connect an account to start publishing.
        {mayWrite ? ' You can write first: we keep your drafts until there is one.' : ''}
      </p>
      <p className="flex flex-wrap gap-2">
        <ButtonLink
          to="/$orgId/project/$projectId/channels"
          params={ids}
          search={{ connect: 'list' }}
          tone="primary"
          icon={<Plus size={15} strokeWidth={2.4} aria-hidden />}
        >
          Connect a channel
        </ButtonLink>
        {mayWrite ? (
          <ButtonLink to="/$orgId/project/$projectId/compose" params={ids}>
            Write a draft
          </ButtonLink>
        ) : null}
      </p>
    </div>
  )
}
