import type { PlatformApp } from '#contract/apps.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { Table, type Column } from '#web/ui/Table.tsx'
import { appLook, appName, standsIn, takesApp } from './appWords.ts'

/** Every platform and whether someone can sign in there. */
export function AppTable({ apps, onOpen }: { apps: readonly PlatformApp[]; onOpen: (app: PlatformApp) => void }) {
  const columns: readonly Column<PlatformApp>[] = [
    {
      key: 'platform',
      header: 'Platform',
      cell: (app) => (
        <span className="inline-flex items-center gap-2.5 font-semibold">
          <PlatformIcon platform={app.platform} named size={20} />
          {appName(app)}
        </span>
      ),
    },
    {
      key: 'state',
      header: 'Status',
      bare: true,
      cell: (app) => (
        <span className="flex flex-wrap items-center gap-1.5">
          <StateBadge app={app} apps={apps} />
          {app.sandbox ? <Badge tone="wait">Sandbox</Badge> : null}
          {app.wantsHttps && takesApp(app) ? <Badge tone="wait">Needs https</Badge> : null}
        </span>
      ),
    },
    {
      key: 'app',
      header: 'App',
      notInCards: true,
      cell: (app) => (
        <span className="text-sm text-ink-muted wrap-anywhere">
          {app.state === 'simulated' ? '' : (app.clientId ?? '')}
        </span>
      ),
    },
    {
      key: 'action',
      header: 'Action',
      headerHidden: true,
      align: 'end',
      corner: true,
      cell: (app) =>
        takesApp(app) ? (
          <Button
            size="s"
            aria-label={`${app.state === 'missing' ? 'Set up' : 'Open'} ${appName(app)}`}
            onClick={() => onOpen(app)}
          >
            {app.state === 'missing' ? 'Set up' : 'Open'}
          </Button>
        ) : null,
    },
  ]
  return <Table label="Platforms" columns={columns} rows={apps} rowKey={({ app }) => app} />
}

/** Whether someone can sign in there: with its own app, or with another platform's. */
export function StateBadge({ app, apps }: { app: PlatformApp; apps: readonly PlatformApp[] }) {
  const other = standsIn(app, apps)
  const { word, tone } = other ? { word: `Through ${appName(other)} only`, tone: 'ok' as const } : appLook[app.state]
  return <Badge tone={tone}>{word}</Badge>
}
