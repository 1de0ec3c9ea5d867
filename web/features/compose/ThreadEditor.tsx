import Plus from 'lucide-react/icons/plus'
import { Button } from '#web/ui/Button.tsx'
import { useComposer, useItems, useVersion } from './ComposerContext.ts'
import { newItem } from './doc.ts'
import { ItemEditor, type ItemSlots } from './ItemEditor.tsx'
import { fieldOf } from './useInsert.ts'

/** The items of the version on screen; several are a thread. Only the first of a published post can be changed. */
export function ThreadEditor({ Tools, Tray }: ItemSlots) {
  const { store, liveOn } = useComposer()
  const { scope: at, taken } = useVersion()
  const items = useItems()
  const shown = liveOn === undefined ? items : items.slice(0, 1)
  const most = Math.max(1, ...taken.map(({ rules }) => rules.thread.most))
  const addBelow = (after: string) => {
    const item = newItem()
    store.dispatch({ type: 'itemAdded', at, after, item })
    // once it's rendered
    requestAnimationFrame(() => fieldOf(item.key)?.focus())
  }
  const last = items.at(-1)
  return (
    <>
      {shown.map((item, i) => (
        <ItemEditor key={item.key} item={item} place={i} of={shown.length} Tools={Tools} Tray={Tray} />
      ))}
      {last && liveOn === undefined && items.length < most ? (
        <Button
          tone="quiet"
          size="s"
          className="justify-self-start"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => addBelow(last.key)}
        >
          Add post below
        </Button>
      ) : null}
    </>
  )
}
