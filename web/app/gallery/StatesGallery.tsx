import RadioTower from 'lucide-react/icons/radio-tower'
import { Button } from '#web/ui/Button.tsx'
import { SkeletonLines, SkeletonRows } from '#web/ui/Skeleton.tsx'
import { DeniedState, EmptyState, ErrorState } from '#web/ui/states.tsx'
import { Part } from './Part.tsx'

export function StatesGallery() {
  return (
    <Part title="States">
      <div className="grid gap-4 md:grid-cols-2">
        <EmptyState
          icon={<RadioTower size={20} />}
          title="No channels found in your account"
          action={<Button tone="primary">Add Channel</Button>}
        >
          Add a channel to your account to get started
        </EmptyState>
        <ErrorState
          error={{
            code: 'INTERNAL',
            detail: 'Rookery is starting, or its database is unavailable. Try again in a moment.',
            requestId: '0190a0f2',
          }}
          onRetry={() => undefined}
        />
        <ErrorState
          error={{ code: 'NETWORK', detail: "We can't reach Rookery. Check your connection and try again." }}
          onRetry={() => undefined}
        />
        <DeniedState />
        <SkeletonRows rows={4} label="Loading channels" />
        <SkeletonLines lines={5} label="Loading the post" />
      </div>
    </Part>
  )
}
