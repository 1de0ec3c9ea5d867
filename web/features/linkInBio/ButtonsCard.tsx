import Plus from 'lucide-react/icons/plus'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { BIO } from '#contract/linkInBio/limits.ts'
import { Button } from '#web/ui/Button.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { useEditor } from './EditorContext.ts'
import { ItemList } from './ItemList.tsx'

/** The page's buttons, one below the other. */
export function ButtonsCard() {
  const { state, dispatch, readOnly } = useEditor()
  const root = useRef<HTMLDivElement>(null)
  const { length } = state.edited.buttons
  const isFull = length >= BIO.buttons
  const add = () => {
    flushSync(() => dispatch({ type: 'buttonAdded' }))
    root.current?.querySelector<HTMLElement>('[data-row]:last-child input')?.focus()
  }
  return (
    <Panel title="Buttons" aside={<span className="tnum text-sm text-ink-muted">{`${length} of ${BIO.buttons}`}</span>}>
      <div ref={root} className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
        {length === 0 ? (
          <p className="text-ink-muted">
            {readOnly ? 'This page has no buttons.' : 'Link to your shop, your newsletter, or anything else.'}
          </p>
        ) : null}
        <ItemList list="buttons" label="Buttons" noun="button" />
        {readOnly ? null : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <Button data-add disabled={isFull} icon={<Plus size={15} aria-hidden />} onClick={add}>
              Add button
            </Button>
            {isFull ? <p className="text-sm text-ink-muted">A page has up to {BIO.buttons} buttons.</p> : null}
          </div>
        )}
      </div>
    </Panel>
  )
}
