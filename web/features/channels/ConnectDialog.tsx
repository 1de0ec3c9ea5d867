import { allChannels, createAccess, type Channel } from '#contract/channels.ts'
import { errorCatalog } from '#contract/errors.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { ConnectAccount } from './ConnectAccount.tsx'
import type { ReturnTo } from './pending.ts'
import { PlatformList } from './PlatformList.tsx'
import { useWays } from './useWays.ts'

type Props = {
  ids: ProjectIds
  /** Closed, the list of platforms, or one platform. */
  open: 'list' | PlatformKey | undefined
  onOpen: (open: 'list' | PlatformKey | undefined) => void
  returnTo: ReturnTo
  onConnected?: (channel: Channel) => void
}

/** Connects another account: first which platform, then with its page or form. */
export function ConnectDialog({ open, onOpen, ...rest }: Props) {
  const platform = open === 'list' ? undefined : open
  return (
    <Dialog
      open={open !== undefined}
      onOpenChange={(next) => onOpen(next ? 'list' : undefined)}
      title={platform ? `Connect ${platformName(platform)}` : 'Add Channel'}
      size={platform ? 's' : 'm'}
    >
      {open ? <Contents platform={platform} onOpen={onOpen} {...rest} /> : null}
    </Dialog>
  )
}

function Contents({
  ids,
  platform,
  onOpen,
  returnTo,
  onConnected,
}: Omit<Props, 'open'> & { platform: PlatformKey | undefined }) {
  const access = useCall(createAccess, { params: ids }, { staleTime: 0, handles: true })
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const { query: ways, wayOf } = useWays(ids)
  return (
    <Loaded query={access} skeleton={<SkeletonLines lines={4} />}>
      {({ allowed, gate }) => (
        <div className="grid gap-4">
          {gate ? <GateNotice gate={gate} /> : null}
          {!allowed && !gate ? <p className="text-ink-muted">{errorCatalog.FORBIDDEN.detail}</p> : null}
          {platform && allowed ? (
            <ConnectAccount
              platform={platform}
              ids={ids}
              returnTo={returnTo}
              onCancel={() => onOpen('list')}
              onConnected={(channel) => {
                onOpen(undefined)
                onConnected?.(channel)
              }}
            />
          ) : (
            <Loaded query={ways} skeleton={<SkeletonLines lines={6} />}>
              {() => (
                <PlatformList
                  level={3}
                  ids={ids}
                  wayOf={wayOf}
                  disabled={!allowed}
                  connected={(key) =>
                    channels.data?.channels.filter((channel) => channel.platformName === key).length ?? 0
                  }
                  onChoose={onOpen}
                />
              )}
            </Loaded>
          )}
        </div>
      )}
    </Loaded>
  )
}
