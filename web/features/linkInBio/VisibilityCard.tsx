import { clsx } from 'clsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { useEditor } from './EditorContext.ts'

/** Who can see the page. */
export function VisibilityCard() {
  const { state, dispatch, readOnly } = useEditor()
  const { live, noindex } = state.edited
  return (
    <Panel title="Visibility">
      <div className={clsx(paperClass, 'grid gap-3 p-3.5')}>
        <Checkbox
          label="Live"
          hint="Anyone with the address can see the page. Otherwise, only your project sees it here."
          checked={live}
          disabled={readOnly}
          onChange={({ target }) => dispatch({ type: 'changed', part: { live: target.checked } })}
        />
        <Checkbox
          label="Hide from search engines"
          hint="Search engines are asked not to list it."
          checked={noindex}
          disabled={readOnly}
          onChange={({ target }) => dispatch({ type: 'changed', part: { noindex: target.checked } })}
        />
      </div>
    </Panel>
  )
}
