import BellIcon from 'lucide-react/icons/bell'
import type { ComponentProps } from 'react'
import { listNotices } from '#contract/notices.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { deferrable, Deferred } from './Deferred.tsx'

const notices = deferrable(() => import('./Notices.tsx'))

/** Whether something happened that the person should know of; opens the list. */
export function Bell() {
  return <Deferred kind="dialog" opens={notices} trigger={<Ring />} />
}

function Ring(props: ComponentProps<'button'>) {
  const answer = useCall(listNotices, { params: useProjectIds() }, { handles: true })
  const unread = answer.data?.unread ?? 0
  return (
    <IconButton
      {...props}
      label={unread > 0 ? `Notices, ${unread} unread` : 'Notices'}
      className="relative"
      icon={
        <>
          <BellIcon size={16} aria-hidden />
          {unread > 0 ? <span aria-hidden className="absolute top-2 right-2 size-2 rounded-full bg-accent ring-2 ring-canvas" /> : null}
        </>
      }
    />
  )
}
