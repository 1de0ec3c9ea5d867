import { useLocation } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import Search from 'lucide-react/icons/search'
import { allChannels } from '#contract/channels.ts'
import { useCall } from '#web/lib/queries.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useMay } from '#web/lib/permissions.ts'
import { Kbd } from '#web/ui/Kbd.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Bell } from './Bell.tsx'
import { modKey } from './modKey.ts'
import { shell } from './shellState.ts'

/** At the right of every page's head: search, notices, Create post. */
export function Chrome() {
  const ids = useProjectIds()
  const mayCreate = useMay([['post', 'create']])
  // the composer has its own first button
  const composing = useLocation({ select: ({ pathname }) => pathname.endsWith('/compose') })
  // connecting one comes first
  const isNew = useCall(allChannels, { params: ids }, { handles: true }).data?.channels.length === 0
  return (
    <>
      <button
        type="button"
        onClick={() => shell.open('palette')}
        aria-keyshortcuts="Control+K Meta+K"
        className="hidden h-8 w-55 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-ink-muted transition-colors hover:border-line-strong lg:flex"
      >
        <Search size={14} aria-hidden />
        Search or jump to
        <Kbd className="ml-auto">{modKey} K</Kbd>
      </button>
      <Bell />
      {mayCreate === 'no' || composing ? null : (
        <ButtonLink
          to="/$orgId/project/$projectId/compose"
          params={ids}
          {...(isNew ? {} : { tone: 'primary' as const })}
          aria-label="Create post"
          icon={<Plus size={15} strokeWidth={2.4} aria-hidden />}
          className="max-md:w-10 max-md:px-0"
        >
          <span className="max-md:hidden">Create post</span>
        </ButtonLink>
      )}
    </>
  )
}
