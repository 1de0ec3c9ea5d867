import { useSearch } from '@tanstack/react-router'
import BellIcon from 'lucide-react/icons/bell'
import type { ComponentProps } from 'react'
import { seenHere, useNewestNotices } from '#web/features/notices/newest.ts'
import { useUrgentNotices } from '#web/features/notices/useUrgentNotices.ts'
import { count } from '#web/lib/format.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { deferrable, Deferred } from '#web/ui/Deferred.tsx'

const notices = deferrable<object>(() => import('./Notices.tsx'))

/** Whether something happened that the person should know of; opens the list. */
export function Bell() {
  const newest = useNewestNotices()
  useUrgentNotices(useProjectIds(), newest.data?.notices)
  return <Deferred kind="dialog" opens={notices} given={{}} trigger={<Ring />} />
}

function Ring(props: ComponentProps<'button'>) {
  const { data } = useNewestNotices()
  const home = useHome()
  const { c } = useSearch({ strict: false })
  const unread = data ? data.unread - seenHere(data.notices, c, document.visibilityState === 'visible') : 0
  const invites = data?.showsInvites ? (home.data?.invites.length ?? 0) : 0
  const facts = [unread > 0 ? `${unread} unread` : '', invites > 0 ? count(invites, 'invitation') : ''].filter(Boolean)
  return (
    <IconButton
      {...props}
      label={['Notifications', ...facts].join(', ')}
      className="relative"
      icon={
        <>
          <BellIcon size={16} aria-hidden />
          {facts.length > 0 ? (
            <span aria-hidden className="absolute top-2 right-2 size-2 rounded-full bg-accent ring-2 ring-canvas" />
          ) : null}
        </>
      }
    />
  )
}
