import { useState } from 'react'
import { errorCatalog } from '#contract/errors.ts'
import type { PostRow } from '#contract/postLists.ts'
import { count } from '#web/lib/format.ts'
import { instantOfMoment, nextSlot, type Moment } from '#web/lib/moment.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { WhenPicker } from '#web/ui/WhenPicker.tsx'

type Props = {
  posts: readonly PostRow[]
  zone: string
  busy: boolean
  onApply: (when: Moment) => void
  onClose: () => void
}

/** One time for all of the chosen posts. */
export function BulkMoveDialog({ posts, zone, busy, onApply, onClose }: Props) {
  const [now] = useState(() => new Date())
  const [when, setWhen] = useState<Moment>(() => nextSlot(now, zone))
  const [refused, setRefused] = useState<string>()
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Move ${count(posts.length, 'post')}`}
      description="All of them will be published at the same time, each on its own channel."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            tone="primary"
            loading={busy}
            onClick={() =>
              instantOfMoment(when).getTime() <= Date.now()
                ? setRefused(errorCatalog.TIME_PASSED.detail)
                : onApply(when)
            }
          >
            Move posts
          </Button>
        </>
      }
    >
      <WhenPicker
        value={when}
        now={now}
        error={refused}
        onChange={(next) => {
          setRefused(undefined)
          setWhen(next)
        }}
      />
    </Dialog>
  )
}
