import { useState } from 'react'
import { Segmented } from '#web/ui/Segmented.tsx'
import { chosenTheme, chooseTheme, type Theme } from '#web/ui/theme.ts'

const options = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

/** Kept in this browser only. */
export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme)
  return (
    <Segmented
      label="Theme"
      options={options}
      value={theme}
      onChange={(next) => {
        chooseTheme(next)
        setTheme(next)
      }}
    />
  )
}
