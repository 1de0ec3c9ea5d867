/*
 * How a page looks. Each theme's colors keep a contrast of 4.5:1 for texts and 3:1 for the edges of buttons (WCAG 2.2), which a test
 * checks.
 */

/** Colors as #rrggbb. `page` is the background, `ink` its text, `button` a button with `onButton` as its text, `line` its edge. */
export type BioTheme = {
  label: string
  /** Whether its background is dark, for the browser's own parts, such as scroll bars. */
  dark: boolean
  page: string
  ink: string
  soft: string
  button: string
  onButton: string
  line: string
  /** The corners of buttons and pictures, in pixels. */
  radius: number
}

export const bioThemes = {
  paper: {
    label: 'Paper',
    dark: false,
    page: '#ffffff',
    ink: '#1a1c1e',
    soft: '#54595f',
    button: '#ffffff',
    onButton: '#1a1c1e',
    line: '#767b82',
    radius: 10,
  },
  ink: {
    label: 'Ink',
    dark: true,
    page: '#111315',
    ink: '#f4f5f6',
    soft: '#b0b6bd',
    button: '#24282c',
    onButton: '#f4f5f6',
    line: '#7d858d',
    radius: 10,
  },
  sand: {
    label: 'Sand',
    dark: false,
    page: '#f6efe4',
    ink: '#33261a',
    soft: '#6b5744',
    button: '#33261a',
    onButton: '#fbf6ee',
    line: '#33261a',
    radius: 22,
  },
  forest: {
    label: 'Forest',
    dark: true,
    page: '#12372a',
    ink: '#f1f7f2',
    soft: '#b9d3c2',
    button: '#e7f1e3',
    onButton: '#12372a',
    line: '#e7f1e3',
    radius: 22,
  },
  sky: {
    label: 'Sky',
    dark: false,
    page: '#e8f2fc',
    ink: '#0d2a45',
    soft: '#3c5a78',
    button: '#0b5cab',
    onButton: '#ffffff',
    line: '#0b5cab',
    radius: 12,
  },
  berry: {
    label: 'Berry',
    dark: true,
    page: '#4a1034',
    ink: '#fdf1f7',
    soft: '#e7bdd3',
    button: '#fdf1f7',
    onButton: '#4a1034',
    line: '#fdf1f7',
    radius: 12,
  },
} as const satisfies Record<string, BioTheme>

export type BioThemeKey = keyof typeof bioThemes
// the keys of the object above
export const bioThemeKeys = Object.keys(bioThemes) as [BioThemeKey, ...BioThemeKey[]]
