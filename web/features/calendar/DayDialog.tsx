import type { CalendarPost } from '#contract/postLists.ts'
import { longDay, type Day } from '#web/lib/dates.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { figuresOf } from './figures.ts'
import { DayList } from './PostLine.tsx'

/** All posts of a day that has more than fit in its cell. */
export function DayDialog({
  day,
  posts,
  zone,
  openId,
  onOpen,
  onClose,
}: {
  day: Day
  posts: readonly CalendarPost[]
  zone: string
  openId: string | undefined
  onOpen: (postId: string) => void
  onClose: () => void
}) {
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={longDay(day)}
      description={figuresOf(posts)}
      size="m"
    >
      <div className="overflow-hidden rounded-md border border-line">
        <DayList
          posts={posts}
          zone={zone}
          openId={openId}
          onOpen={(postId) => {
            onClose()
            onOpen(postId)
          }}
        />
      </div>
    </Dialog>
  )
}
