import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { allChannels } from '#contract/channels.ts'
import type { DraftsOutcome } from '#web/features/ai/waitForDrafts.ts'
import { WritingDrafts } from '#web/features/ai/WritingDrafts.tsx'
import { ConnectedList, ConnectPanel } from '#web/features/channels/ConnectPanel.tsx'
import { ChannelsStep } from '#web/features/onboarding/ChannelsStep.tsx'
import { useStep } from '#web/features/onboarding/useStep.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { Frame } from './Frame.tsx'

const route = getRouteApi('/onboarding')

type Props = { ids: ProjectIds; /** Whether a model is set up. */ ai: boolean; onBack: () => void }

/**
 * Wizard page 2. It stays until someone continues or skips. With a model, the URL contains the channel that was just
 * connected, so that waiting for its drafts continues after a reload.
 */
export function AddChannels({ ids, ai, onBack }: Props) {
  const { connected } = route.useSearch()
  const navigate = useNavigate({ from: '/onboarding' })
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const step = useStep(ids)
  const rows = channels.data?.channels ?? []
  // without a model there is nothing to wait for
  const fresh = ai ? rows.find((channel) => channel.channelId === connected) : undefined
  const wait = (channel: string | undefined) => void navigate({ search: { connected: channel }, replace: true })
  const onEnd = ({ kind }: DraftsOutcome) => {
    if (kind === 'late') step.go('done', () => toast.success('Check out the dashboard later for AI-generated posts!'))
    else step.go('addUsers')
  }
  return (
    <Frame
      step="addChannels"
      title="Add Channels"
      lead="The social accounts that this project publishes to."
      logout
      {...(fresh ? {} : { onBack })}
    >
      {ai && connected && channels.isPending ? (
        <SkeletonRows rows={3} />
      ) : fresh ? (
        <div className="grid gap-4">
          <ConnectedList channels={rows} />
          <WritingDrafts
            ids={ids}
            channel={fresh}
            onEnd={onEnd}
            onSkip={() => step.go('addUsers')}
            onAnother={() => wait(undefined)}
            leaving={step.to !== undefined}
          />
        </div>
      ) : (
        <ChannelsStep hasChannel={rows.length > 0} moving={step.to !== undefined} onNext={() => step.go('addUsers')}>
          <ConnectPanel ids={ids} returnTo="onboarding" onConnected={(channel) => wait(channel.channelId)} />
        </ChannelsStep>
      )}
    </Frame>
  )
}
