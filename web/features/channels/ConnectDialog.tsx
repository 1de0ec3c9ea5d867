import { allChannels, createAccess, type Channel } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { ConnectForm } from './ConnectForm.tsx'
import { canConnect } from './connectForms.ts'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { PlatformList } from './PlatformList.tsx'

type Props = {
  ids: ProjectIds
  /** Closed, the list of platforms, or one platform's form. */
  open: 'list' | PlatformKey | undefined
  onOpen: (open: 'list' | PlatformKey | undefined) => void
  onConnected?: (channel: Channel) => void
}

/** Connects one more account: first which platform, then its form. */
export function ConnectDialog({ ids, open, onOpen, onConnected }: Props) {
  const platform = open && open !== 'list' && canConnect(open) ? open : undefined
  return (
    <Dialog open={open !== undefined} onOpenChange={(next) => onOpen(next ? 'list' : undefined)} title={platform ? `Connect ${platformName(platform)}` : 'Add Channel'} size={platform ? 's' : 'm'}>
      {open ? <Contents ids={ids} platform={platform} onOpen={onOpen} onConnected={onConnected} /> : null}
    </Dialog>
  )
}

function Contents({ ids, platform, onOpen, onConnected }: Omit<Props, 'open'> & { platform: PlatformKey | undefined; onConnected: Props['onConnected'] | undefined }) {
  const access = useCall(createAccess, { params: ids }, { staleTime: 0, handles: true })
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  return (
    <Loaded query={access} skeleton={<SkeletonLines lines={4} />}>
      {({ allowed, gate }) => (
        <div className="grid gap-4">
          {gate ? <GateNotice gate={gate} /> : null}
          {!allowed && !gate ? <p className="text-ink-muted">Your role does not allow this. Ask an admin of the project.</p> : null}
          {platform && allowed ? (
            <ConnectForm
              platform={platform}
              ids={ids}
              onCancel={() => onOpen('list')}
              onConnected={(channel) => {
                onOpen(undefined)
                onConnected?.(channel)
              }}
            />
          ) : (
            <PlatformList disabled={!allowed} connected={(key) => channels.data?.channels.filter((channel) => channel.platformName === key).length ?? 0} onChoose={onOpen} />
          )}
        </div>
      )}
    </Loaded>
  )
}
