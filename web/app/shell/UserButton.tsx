import type { ComponentProps } from 'react'
import { useHome } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { deferrable, Deferred } from '#web/ui/Deferred.tsx'

const menu = deferrable<object>(() => import('./UserMenu.tsx'))

/** The person, at the foot of the rail. */
export function UserButton() {
  return <Deferred kind="menu" opens={menu} given={{}} trigger={<Person />} />
}

function Person(props: ComponentProps<'button'>) {
  const user = useHome().data?.user
  const name = user ? `${user.firstName} ${user.lastName}`.trim() || user.email : ''
  return (
    <button
      {...props}
      type="button"
      className="flex h-10 w-full items-center gap-2.5 rounded-md px-1.5 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover"
    >
      <Avatar name={name || '?'} src={user?.profileUrl} size={26} />
      <span dir="auto" className="min-w-0 grow truncate font-medium">
        {name}
      </span>
      <span className="sr-only">, profile, theme, log out</span>
    </button>
  )
}
