import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { paperClass } from '#web/ui/Panel.tsx'
import { toast } from '#web/ui/toast.ts'
import { rowDragLook, useRowOrder } from '#web/ui/useRowOrder.ts'
import type { EditedItem, ItemList as ListName } from './edited.ts'
import { useEditor } from './EditorContext.ts'
import { ItemRow } from './ItemRow.tsx'

type Props = {
  list: ListName
  label: string
  /** What one of them is: "button". */
  noun: string
  lead?: (item: EditedItem) => ReactNode
  about?: (item: EditedItem) => ReactNode
}

/** Links in the order in which they're shown; dragging, buttons, or Alt and an arrow key change it. */
export function ItemList({ list: name, label, noun, lead, about }: Props) {
  const { state, dispatch, readOnly } = useEditor()
  const items = state.edited[name]
  const { list, said, row, button } = useRowOrder<HTMLOListElement>({
    ids: items.map(({ key }) => key),
    onMove: readOnly ? undefined : (from, to) => dispatch({ type: 'itemMoved', list: name, from, to }),
    place: 'place',
  })
  const remove = (item: EditedItem, at: number) => {
    dispatch({ type: 'itemRemoved', key: item.key })
    // the next row's button, or what adds a row
    const rows = list.current?.querySelectorAll<HTMLElement>('[data-row]')
    const next = rows?.[at + 1] ?? rows?.[at - 1]
    const other = next?.querySelector<HTMLElement>('[data-remove]')
    ;(other ?? list.current?.closest('section')?.querySelector<HTMLElement>('[data-add]'))?.focus()
    toast.undo(`Removed ${item.label.trim() === '' ? noun : `“${item.label.trim()}”`}`, () =>
      dispatch({ type: 'itemRestored', item, at }),
    )
  }
  return (
    <>
      <ol
        ref={list}
        aria-label={label}
        className={clsx(paperClass, '@container divide-y divide-line', items.length === 0 ? 'hidden' : '')}
      >
        {items.map((item, i) => (
          // dragging is an alternative; keys and buttons do the same
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={item.key}
            {...row(i)}
            className={clsx('flex flex-wrap items-start gap-2 bg-surface p-2.5', rowDragLook)}
          >
            <ItemRow
              item={item}
              name={`${noun} ${i + 1}`}
              move={{ up: button(i, 'up'), down: button(i, 'down') }}
              lead={lead?.(item)}
              about={about?.(item)}
              onRemove={() => remove(item, i)}
            />
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}
