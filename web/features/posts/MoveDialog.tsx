import { useState } from 'react'
import type { CalendarPost } from '#contract/postLists.ts'
import type { Scope } from '#contract/posts.ts'
import { errorCatalog } from '#contract/errors.ts'
import { dayAndTimeOf, offsetOf } from '#web/lib/format.ts'
import { instantOfMoment, nextSlot } from '#web/lib/moment.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { WhenPicker } from '#web/ui/WhenPicker.tsx'
import { isInSeries, momentOfPost } from './moving.ts'
import { ScopeChoice } from './ScopeChoice.tsx'
import { useMovePost } from './useMovePost.ts'

type Props = { post: CalendarPost; onClose: () => void }

/** Another time without dragging. A post whose time has passed starts from the next slot. */
export function MoveDialog({ post, onClose }: Props) {
  const move = useMovePost('Post Rescheduled:')
  const [now] = useState(() => new Date())
  const [when, setWhen] = useState(() => {
    const due = momentOfPost(post)
    const { day, clock, zone } = post.dueAt && new Date(post.dueAt) > now ? due : nextSlot(now, post.timezone)
    return { day, clock, zone }
  })
  const [scope, setScope] = useState<Scope>('this')
  const [refused, setRefused] = useState<string>()
  const submit = () => {
    if (instantOfMoment(when).getTime() <= Date.now()) return setRefused(errorCatalog.TIME_PASSED.detail)
    if (move(post, when, scope)) onClose()
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Reschedule"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" onClick={submit}>
            {scope === 'this' ? 'Move post' : 'Move posts'}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-ink-muted">
        <span dir="auto" className="line-clamp-2 text-ink">
          {post.excerpt || 'A post without text'}
        </span>
        {post.dueAt
          ? `${new Date(post.dueAt) > now ? 'Planned' : 'Was planned'} for ${dayAndTimeOf(post.dueAt, post.timezone)}, ${offsetOf(post.dueAt, post.timezone)}`
          : null}
      </p>
      <WhenPicker
        value={when}
        now={now}
        error={refused}
        onChange={(next) => {
          setRefused(undefined)
          setWhen(next)
        }}
      />
      {isInSeries(post) ? (
        <ScopeChoice
          className="mt-4"
          post={post}
          value={scope}
          onChange={setScope}
          hint="The other posts move by the same number of days and to the same time of day."
        />
      ) : null}
    </Dialog>
  )
}
