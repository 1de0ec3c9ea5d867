import { Fragment, type ReactNode } from 'react'
import type { Span } from '#contract/platforms/rules.ts'

/** A text with the platform's links in color. They lead nowhere: it's a preview. */
export function RichText({
  text,
  spans,
  className = '',
  show = (value) => value,
}: {
  text: string
  spans: readonly Span[]
  className?: string
  show?: (value: string, span: Span) => string
}) {
  const parts: ReactNode[] = []
  let at = 0
  for (const span of spans) {
    parts.push(<Fragment key={`t${at}`}>{text.slice(at, span.start)}</Fragment>)
    parts.push(
      <span key={`s${span.start}`} className={className}>
        {show(text.slice(span.start, span.end), span)}
      </span>,
    )
    at = span.end
  }
  parts.push(<Fragment key={`t${at}`}>{text.slice(at)}</Fragment>)
  return <>{parts}</>
}
