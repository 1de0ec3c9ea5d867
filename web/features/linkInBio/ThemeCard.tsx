import { clsx } from 'clsx'
import { useId } from 'react'
import { bioThemeKeys, bioThemes, type BioThemeKey } from '#contract/linkInBio/themes.ts'
import { Panel } from '#web/ui/Panel.tsx'
import { useEditor } from './EditorContext.ts'

/** How the page looks: one of the themes, each drawn in small. */
export function ThemeCard() {
  const { state, dispatch, readOnly } = useEditor()
  const name = useId()
  return (
    <Panel title="Theme">
      <fieldset disabled={readOnly}>
        <legend className="sr-only">Theme</legend>
        <div className="grid grid-cols-3 gap-2.5 sm:grid-cols-6">
          {bioThemeKeys.map((key) => (
            <label
              key={key}
              className={clsx(
                'group grid gap-1.5 rounded-lg p-1 has-focus-visible:outline-2 has-focus-visible:outline-accent',
                readOnly ? '' : 'cursor-pointer',
              )}
            >
              <input
                type="radio"
                name={name}
                value={key}
                checked={state.edited.theme === key}
                onChange={() => dispatch({ type: 'changed', part: { theme: key } })}
                className="peer sr-only"
              />
              <Swatch theme={key} />
              <span className="text-center text-sm font-medium text-ink-muted group-has-checked:font-semibold group-has-checked:text-ink">
                {bioThemes[key].label}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </Panel>
  )
}

/** The page in small: a picture, a name, two buttons. The colors are the page's own, not the product's. */
function Swatch({ theme }: { theme: BioThemeKey }) {
  const { page, ink, button, line, radius } = bioThemes[theme]
  const bar = { background: button, borderColor: line, borderRadius: Math.min(radius / 2, 7) }
  return (
    <span
      aria-hidden
      style={{ background: page }}
      className="grid aspect-4/5 content-center justify-items-center gap-1.5 rounded-md px-3 inset-ring inset-ring-line outline-offset-2 peer-checked:outline-2 peer-checked:outline-accent group-hover:peer-enabled:outline-2 peer-not-checked:group-hover:outline-line-strong"
    >
      <span style={{ background: ink }} className="size-4 rounded-full" />
      <span style={{ background: ink }} className="mb-1 h-1 w-1/2 rounded-full" />
      <span style={bar} className="h-3.5 w-full border" />
      <span style={bar} className="h-3.5 w-full border" />
    </span>
  )
}
