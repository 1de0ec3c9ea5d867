import { useRouter } from '@tanstack/react-router'
import { useComposer } from '#web/features/compose/ComposerContext.ts'
import { keepCopy, type CopyPlace } from '#web/features/compose/localCopies.ts'
import type { Submitted } from '#web/features/compose/useSubmit.ts'
import { flashPosts } from '#web/lib/flash.ts'
import { toast } from '#web/ui/toast.ts'
import { originOfComposer, placeAfterSubmit, sideOfToast } from '../../afterSubmit.ts'

/**
 * What happens once the post was sent: this browser's copy goes, and people see the result where they came from, marked
 * for a moment.
 */
export function useSubmitted({ place, copyName }: { place: CopyPlace; copyName: string }) {
  const router = useRouter()
  const { ids: params } = useComposer()
  return ({ message, postIds, day, status, isWaiting, withoutSlot }: Submitted) => {
    keepCopy(place, copyName, undefined)
    const [post] = postIds
    const project = `/${params.orgId}/project/${params.projectId}`
    const next = placeAfterSubmit(originOfComposer(), project, { day, status, isWaiting })
    const view = () => void router.navigate({ to: '.', search: (before) => ({ ...before, post }) })
    const openQueue = () =>
      void router.navigate({
        to: '/$orgId/project/$projectId/queues',
        params,
        search: { channel: withoutSlot[0]?.channelId },
      })
    const side = next.startsWith(`${project}/calendar`) ? sideOfToast(day) : 'left'
    if (withoutSlot.length > 0)
      toast.warning(
        `${message}, but without a time because the queue of ${withoutSlot.map(({ channelName }) => channelName).join(', ')} is paused or has no free slot.`,
        { side, action: { label: 'Queue settings', onClick: openQueue } },
      )
    // the post's own page shows it already
    else if (next.startsWith(`${project}/post/`)) toast.success(message)
    else toast.success(message, { side, action: { label: 'View', onClick: view } })
    router.history.push(next)
    flashPosts(postIds, day)
  }
}
