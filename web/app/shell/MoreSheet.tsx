import { Link } from '@tanstack/react-router'
import LogOut from 'lucide-react/icons/log-out'
import Search from 'lucide-react/icons/search'
import User from 'lucide-react/icons/user'
import { useState } from 'react'
import { useProjectIds } from '#web/lib/project.ts'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Sheet } from '#web/ui/Sheet.tsx'
import { chosenTheme, chooseTheme, type Theme } from '#web/ui/theme.ts'
import { useLogOut } from '../useLogOut.ts'
import { morePlaces } from './areas.ts'
import { ChannelHealth } from './ChannelHealth.tsx'
import { ProjectSwitcher } from './ProjectSwitcher.tsx'
import { useVisible } from './Rail.tsx'
import { shell } from './shellState.ts'

const row = 'flex h-11 w-full items-center gap-3 rounded-md px-2 text-left font-medium hover:bg-hover'

/** What the phone's tabs have no room for. */
export default function MoreSheet() {
  const ids = useProjectIds()
  const visible = useVisible()
  const { logOut } = useLogOut()
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  return (
    <Sheet open title="More" onOpenChange={(open) => (open ? undefined : shell.close())}>
      <ProjectSwitcher />
      <ChannelHealth />
      <div className="grid">
        <button type="button" className={row} onClick={() => shell.open('palette')}>
          <Search size={17} aria-hidden className="text-ink-muted" />
          Search or jump to
        </button>
        {morePlaces.filter(visible).map((place) => (
          <Link key={place.key} {...place.link(ids)} onClick={shell.close} className={row}>
            <place.icon size={17} aria-hidden className="text-ink-muted" />
            {place.label}
          </Link>
        ))}
        <Link to="/$orgId/project/$projectId/profile" params={ids} onClick={shell.close} className={row}>
          <User size={17} aria-hidden className="text-ink-muted" />
          Profile
        </Link>
        <button type="button" className={row} onClick={logOut}>
          <LogOut size={17} aria-hidden className="text-ink-muted" />
          Log out
        </button>
      </div>
      <Segmented
        label="Theme"
        value={theme}
        options={[
          { value: 'system', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
        onChange={(next) => {
          chooseTheme(next)
          setTheme(next)
        }}
      />
    </Sheet>
  )
}
