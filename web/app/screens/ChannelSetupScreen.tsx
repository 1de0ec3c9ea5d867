import { getRouteApi } from '@tanstack/react-router'
import { listApps } from '#contract/apps.ts'
import type { AppKey } from '#contract/platforms/rules.ts'
import { AppSheet } from '#web/features/apps/AppSheet.tsx'
import { AppTable } from '#web/features/apps/AppTable.tsx'
import { takesApp } from '#web/features/apps/appWords.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Link } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Page } from '#web/ui/Page.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'

const route = getRouteApi('/$orgId/project/$projectId/channels/setup')

/** The apps set up at each platform, for organization admins: without one, nobody can sign in there. */
export default function ChannelSetupScreen() {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const { app: opened } = route.useSearch()
  const navigate = route.useNavigate()
  const open = (next: AppKey | undefined) =>
    void navigate({ search: (before) => ({ ...before, app: next }), replace: true })
  const apps = useCall(listApps, { params: { orgId: ids.orgId } }, { handles: true })
  const chosen = apps.data?.apps.find((one) => one.app === opened && takesApp(one))
  return (
    <Page
      title="Platform setup"
      bar={
        <p className="text-pretty text-ink-muted">
          To connect accounts, most platforms need an app that you register with them. You set it up once for all
          projects of your organization.{' '}
          <Link to="/$orgId/project/$projectId/channels" params={ids}>
            Back to Platform Settings
          </Link>
        </p>
      }
    >
      <Loaded query={apps} skeleton={<SkeletonRows rows={8} />}>
        {({ apps: rows }) => <AppTable apps={rows} onOpen={(app) => open(app.app)} />}
      </Loaded>
      {chosen ? (
        <AppSheet
          key={chosen.app}
          orgId={ids.orgId}
          app={chosen}
          apps={apps.data?.apps ?? []}
          zone={zone}
          onClose={() => open(undefined)}
        />
      ) : null}
    </Page>
  )
}
