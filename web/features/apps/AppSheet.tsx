import { useState } from 'react'
import { deleteApp, type PlatformApp } from '#contract/apps.ts'
import { appNamed } from '#contract/platforms/registry.ts'
import { dateOf } from '#web/lib/format.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { Sheet } from '#web/ui/Sheet.tsx'
import { toast } from '#web/ui/toast.ts'
import { AppForm, channelsOf } from './AppForm.tsx'
import { AppSteps } from './AppSteps.tsx'
import { StateBadge } from './AppTable.tsx'
import { appName, standsIn } from './appWords.ts'

type Props = {
  orgId: string
  app: PlatformApp
  /** For all platforms: one platform's app can be used for another. */ apps: readonly PlatformApp[]
  zone: string
  onClose: () => void
}

/** One platform: what to register there, the values to enter here, and what removing them would do. */
export function AppSheet({ orgId, app, apps, zone, onClose }: Props) {
  const [removing, setRemoving] = useState(false)
  const name = appName(app)
  const { setup } = appNamed(app.app)
  const remove = useSend(deleteApp, {
    handles: ['NOT_FOUND'],
    onSuccess: ({ message }) => {
      setRemoving(false)
      toast.success(message ?? 'Removed')
    },
    onError: () => setRemoving(false),
  })
  const standIn = standsIn(app, apps)
  const isOwn = app.state === 'organization'
  if (!setup) return null
  const form = (
    <section className="grid gap-3">
      <h3 className="font-bold">Enter the details from {name}</h3>
      <AppForm key={`${app.clientId ?? ''} ${app.setAt ?? ''}`} orgId={orgId} app={app} setup={setup} />
    </section>
  )
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={`Set up ${name}`}
      width="l"
      head={
        <>
          <PlatformIcon platform={app.platform} size={20} />
          <span aria-hidden className="text-lg font-bold">
            {name}
          </span>
          <StateBadge app={app} apps={apps} />
        </>
      }
      footer={
        isOwn ? (
          <Button tone="danger" onClick={() => setRemoving(true)}>
            Remove
          </Button>
        ) : null
      }
    >
      <p className="text-pretty text-ink-muted">
        {standIn
          ? `You can already connect accounts through ${appName(standIn)}. To let people sign in with ${name} itself, register an app there too.`
          : summaryOf(app, name, zone)}
      </p>
      {/* people who come back want to change the values, not read the steps again */}
      {isOwn ? form : <AppSteps app={app} setup={setup} />}
      <hr className="border-line" />
      {isOwn ? <AppSteps app={app} setup={setup} /> : form}
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Remove the ${name} app?`}
        action="Remove"
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params: { orgId, app: app.app } })}
      >
        {app.channels === 0
          ? 'No channels use it. '
          : `${channelsOf(app.channels)} connected with it will need to be reconnected when their sign-in expires. Their posts stay scheduled. `}
        New channels will use the app your Rookery administrator set up, if there is one.
      </ConfirmDialog>
    </Sheet>
  )
}

/** Whose app is used, and what entering your own changes. */
function summaryOf(app: PlatformApp, name: string, zone: string): string {
  const by = `${app.setBy ?? ''}${app.setAt ? ` on ${dateOf(app.setAt, zone)}` : ''}`
  switch (app.state) {
    case 'organization':
      return `Added by ${by}. ${app.channels === 0 ? 'No channels use it' : app.channels === 1 ? '1 channel uses it' : `${app.channels} channels use it`}.`
    case 'installation':
      return `You can already connect ${name} accounts because your Rookery administrator registered an app there. If you add your own app, new channels will use yours.`
    case 'simulated':
      return `${name} is simulated here, so you don't need to enter anything.`
    case 'missing':
    case 'unneeded':
    case 'unavailable':
    default:
      return `Register an app to connect ${name}. It takes a few minutes, and ${platformName(app.platform)} reviews some of the permissions.`
  }
}
