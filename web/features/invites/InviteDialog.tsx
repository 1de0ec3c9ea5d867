import type { ProjectIds } from '#web/lib/project.ts'
import type { Reading } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import type { NamedChannel } from '#web/ui/channelSelection.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { SkeletonLines } from '#web/ui/Skeleton.tsx'
import { InviteForm } from './InviteForm.tsx'

type Props = {
  ids: ProjectIds
  channels: Reading<{ channels: readonly NamedChannel[] }>
  email?: string | undefined
  /** How many seats the plan has and how many are used, as text. */ seats?: string | undefined
  onClose: () => void
}

/** Invites people who aren't in the organization, or not in this project. */
export function InviteDialog({ ids, channels, email, seats, onClose }: Props) {
  return (
    <Dialog open onOpenChange={onClose} title="Invite User" description={seats} size="l">
      <Loaded query={channels} skeleton={<SkeletonLines lines={3} />}>
        {(known) => (
          <InviteForm
            ids={ids}
            channels={known.channels}
            email={email}
            onDone={onClose}
            beside={<Button onClick={onClose}>Cancel</Button>}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
