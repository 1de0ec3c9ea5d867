import Sparkles from 'lucide-react/icons/sparkles'
import type { Channel } from '#contract/channels.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { Card } from '#web/ui/StandalonePage.tsx'
import { useWaitForDrafts } from './useDrafts.ts'
import { MOST_CALLS, type DraftsOutcome } from './waitForDrafts.ts'

type Props = {
  ids: ProjectIds
  channel: Channel
  onEnd: (outcome: DraftsOutcome) => void
  onSkip: () => void
  onAnother: () => void
  /** The wizard is moving on. */
  leaving: boolean
}

/** Shown while the first drafts of a channel are being written: what is happening, and a way to skip it. */
export function WritingDrafts({ ids, channel, onEnd, onSkip, onAnother, leaving }: Props) {
  const asked = useWaitForDrafts(ids, channel.channelId, onEnd)
  return (
    <Card className="grid gap-4">
      <div role="status" className="flex items-start gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent">
          <Sparkles size={17} aria-hidden />
        </span>
        <div className="min-w-0">
          <h2 className="font-bold">Writing first drafts for {channel.channelName}</h2>
          <p className="text-pretty text-ink-muted">{`AI reads recent posts from ${channel.handle} on ${platformName(channel.platformName)} and writes drafts in the same tone. Nothing is published. You'll find them on your dashboard.`}</p>
        </div>
      </div>
      <Progress label="This usually takes less than 30 seconds" value={asked} max={MOST_CALLS} />
      <div className="flex flex-wrap gap-2">
        <Button size="l" loading={leaving} onClick={onSkip}>
          Skip
        </Button>
        <Button tone="quiet" size="l" onClick={onAnother}>
          Connect another account
        </Button>
      </div>
    </Card>
  )
}
