import { recall, remember } from '#web/lib/remember.ts'

export type Theme = 'system' | 'light' | 'dark'

export function chosenTheme(): Theme {
  const choice = recall('theme')
  return choice === 'light' || choice === 'dark' ? choice : 'system'
}

/** Stores the choice and shows it immediately. index.html applies it before the next load's first paint. */
export function chooseTheme(theme: Theme): void {
  remember('theme', theme)
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
