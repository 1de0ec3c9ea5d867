import { Fragment } from 'react'
import { textParts } from '#web/lib/textParts.ts'
import { OutsideLink } from './Link.tsx'

type Props = {
  text: string
  /** What a search found: places of the text, from and to. */
  marks?: readonly (readonly [from: number, to: number])[]
}

/** A text that someone else wrote: its links can be followed, and what was found is marked. */
export function LinkedText({ text, marks }: Props) {
  return textParts(text, marks).map(({ text: piece, href, marked }, place) => {
    const shown = marked ? <Found>{piece}</Found> : piece
    return (
      // pieces have no other name than their place
      <Fragment key={place}>
        {href ? (
          // its direction is its own, and the tooltip shows where it really leads
          <OutsideLink href={href} title={href} dir="ltr" className="break-all [unicode-bidi:isolate]">
            {shown}
          </OutsideLink>
        ) : (
          shown
        )}
      </Fragment>
    )
  })
}

/** The same where nothing can be followed, such as within a link. */
export function MarkedText({ text, marks }: Props) {
  return textParts(text, marks).map(({ text: piece, marked }, place) => (
    <Fragment key={place}>{marked ? <Found>{piece}</Found> : piece}</Fragment>
  ))
}

const Found = ({ children }: { children: string }) => (
  <mark className="rounded-xs bg-wait-soft font-semibold text-ink">{children}</mark>
)
