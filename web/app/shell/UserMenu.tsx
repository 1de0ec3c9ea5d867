import { useNavigate } from '@tanstack/react-router'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import User from 'lucide-react/icons/user'
import { useState } from 'react'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { chosenTheme, chooseTheme, type Theme } from '#web/ui/theme.ts'
import { useLogOut } from '../useLogOut.ts'
import { shell } from './shellState.ts'

export const themeOptions = [
  { value: 'system', label: 'Like the system', icon: <Monitor size={15} /> },
  { value: 'light', label: 'Light', icon: <Sun size={15} /> },
  { value: 'dark', label: 'Dark', icon: <Moon size={15} /> },
] as const

/** The person: profile, theme, shortcuts, log out. */
export function UserMenu() {
  const ids = useProjectIds()
  const user = useHome().data?.user
  const navigate = useNavigate()
  const { logOut } = useLogOut()
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  const name = user ? `${user.firstName} ${user.lastName}`.trim() || user.email : ''
  return (
    <Menu
      side="top"
      label="You"
      className="w-54"
      trigger={
        <button type="button" aria-label={name ? `${name}: profile, theme, log out` : 'Profile, theme, log out'} className="flex h-10 w-full items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover data-[state=open]:bg-hover">
          <Avatar name={name || '?'} src={user?.profileUrl} size={26} />
          <span className="min-w-0 grow truncate font-medium">{name}</span>
        </button>
      }
    >
      <MenuItem icon={<User size={15} />} onSelect={() => void navigate({ to: '/$orgId/project/$projectId/profile', params: ids })}>
        Profile
      </MenuItem>
      <MenuItem icon={<Keyboard size={15} />} end={<Kbd>?</Kbd>} onSelect={() => shell.open('shortcuts')}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label="Theme"
        value={theme}
        options={themeOptions}
        onChange={(next) => {
          chooseTheme(next)
          setTheme(next)
        }}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={15} />} onSelect={logOut}>
        Log out
      </MenuItem>
    </Menu>
  )
}
