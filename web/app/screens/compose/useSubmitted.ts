import { useRouter } from '@tanstack/react-router'
import { useComposer } from '#web/features/compose/ComposerContext.ts'
import { keepCopy, type CopyPlace } from '#web/features/compose/localCopies.ts'
import type { Submitted } from '#web/features/compose/useSubmit.ts'
import { toast } from '#web/ui/toast.ts'

/** What happens once the post was sent: this browser's copy goes, and the calendar opens. */
export function useSubmitted({ place, copyName }: { place: CopyPlace; copyName: string }) {
  const router = useRouter()
  const { ids: params } = useComposer()
  return ({ message, target, withoutSlot }: Submitted) => {
    keepCopy(place, copyName, undefined)
    const open = () => void router.navigate({ to: '/$orgId/project/$projectId/calendar', params, search: target })
    const openQueue = () =>
      void router.navigate({
        to: '/$orgId/project/$projectId/queues',
        params,
        search: { channel: withoutSlot[0]?.channelId },
      })
    if (withoutSlot.length > 0)
      toast.warning(
        `${message}, but without a time because the queue of ${withoutSlot.map(({ channelName }) => channelName).join(', ')} is paused or has no free slot.`,
        { action: { label: 'Queue settings', onClick: openQueue } },
      )
    else toast.success(message, { action: { label: 'Open post', onClick: open } })
    open()
  }
}
