import { useNavigate } from '@tanstack/react-router'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import User from 'lucide-react/icons/user'
import { useState } from 'react'
import { useProjectIds } from '#web/lib/project.ts'
import type { DeferredTrigger } from '#web/ui/Deferred.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { MenuPanel, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/MenuPanel.tsx'
import { chosenTheme, chooseTheme, type Theme } from '#web/ui/theme.ts'
import { useLogOut } from '../useLogOut.ts'
import { shell } from './shellState.ts'
import { themeOptions } from './themeOptions.tsx'

/** Profile, shortcuts, theme, log out. */
export default function UserMenu({ trigger }: { trigger: DeferredTrigger }) {
  const ids = useProjectIds()
  const navigate = useNavigate()
  const { logOut } = useLogOut()
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  return (
    <MenuPanel defaultOpen side="top" label="You" className="w-54" trigger={trigger}>
      <MenuItem
        icon={<User size={15} />}
        onSelect={() => void navigate({ to: '/$orgId/project/$projectId/profile', params: ids })}
      >
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
    </MenuPanel>
  )
}
