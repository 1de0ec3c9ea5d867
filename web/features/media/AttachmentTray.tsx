import { count } from '#web/lib/format.ts'
import { Progress } from '#web/ui/Progress.tsx'
import { useRowOrder } from '#web/ui/useRowOrder.ts'
import { AttachmentRow, type RowProps } from './AttachmentRow.tsx'
import { kindOf } from './attachments.ts'

type Props = Omit<RowProps, 'one' | 'place' | 'order'>

/**
 * The attached files: each with its progress or problem, its alt text, and its position, which dragging, the buttons,
 * or Alt and an arrow key change.
 */
export function AttachmentTray({ attachments, ...rest }: Props) {
  const { list, opening } = attachments
  const place = (from: number, to: number) => {
    const [one, over] = [list[from], list[to]]
    if (one && over) attachments.move(one.key, over.key)
  }
  const {
    list: ref,
    said,
    row,
    button,
  } = useRowOrder<HTMLUListElement>({
    ids: list.map(({ key }) => key),
    onMove: list.length > 1 ? place : undefined,
    place: 'file',
  })
  return (
    <>
      <ul
        ref={ref}
        aria-label={list.every((one) => kindOf(one) === 'image') ? 'Images' : 'Files'}
        className="grid grid-cols-[minmax(0,1fr)] gap-2.5"
      >
        {list.map((one, i) => (
          <AttachmentRow
            key={one.key}
            one={one}
            place={i}
            order={list.length > 1 ? { row, button } : undefined}
            attachments={attachments}
            {...rest}
          />
        ))}
        {opening.length > 0 ? (
          <li>
            <Progress label={`Reading ${count(opening.length, 'file')}`} />
          </li>
        ) : null}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}
