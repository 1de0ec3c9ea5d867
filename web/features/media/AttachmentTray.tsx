import { AttachmentRow, type RowProps } from './AttachmentRow.tsx'
import { kindOf } from './attachments.ts'

type Props = Omit<RowProps, 'one' | 'place' | 'count'>

/** The attached files: each with its progress or its trouble, the words for who cannot see it, its place in the row. */
export function AttachmentTray({ attachments, ...rest }: Props) {
  const { list } = attachments
  if (list.length === 0) return null
  return (
    <ul aria-label={list.every((one) => kindOf(one) === 'picture') ? 'Pictures' : 'Files'} className="grid grid-cols-[minmax(0,1fr)] gap-2.5">
      {list.map((one, i) => (
        <AttachmentRow key={one.key} one={one} place={i} count={list.length} attachments={attachments} {...rest} />
      ))}
    </ul>
  )
}
