import { useMemo, type ReactNode, type Ref } from 'react'
import { clsx } from 'clsx'
import type { Span } from '#contract/platforms/rules.ts'
import type { Mentioning } from './useMentioning.tsx'

type Props = {
  label: string
  /** The item's key, by which the field is found to insert text. */
  name: string
  value: string
  onChange: (value: string) => void
  spans: readonly Span[]
  /** From here on, the text is too long. */
  overflowAt: number | undefined
  invalid: boolean
  describedBy?: string
  /** Starts with fewer lines, if there are several fields. */
  short?: boolean
  mentioning: Mentioning
  ref?: Ref<HTMLTextAreaElement>
}

// both layers must wrap alike
const layer = 'col-start-1 row-start-1 px-3.5 py-3 text-lg leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]'

/**
 * A text field that colors links, mentions and hashtags, and marks what is too long. The colors are on a layer for
 * sighted people only.
 */
export function HighlightedTextArea({
  label,
  name,
  value,
  onChange,
  spans,
  overflowAt,
  invalid,
  describedBy,
  short = false,
  mentioning,
  ref,
}: Props) {
  const painted = useMemo(() => paint(value, spans, overflowAt), [value, spans, overflowAt])
  return (
    <div className="grid min-w-0">
      <div
        aria-hidden
        dir="auto"
        className={clsx(layer, short ? 'min-h-22' : 'min-h-36', 'pointer-events-none text-ink')}
      >
        {painted}
        {'\u200b'}
      </div>
      <textarea
        ref={ref}
        dir="auto"
        data-item={name}
        aria-label={label}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={value}
        aria-autocomplete={mentioning.list ? 'list' : undefined}
        aria-controls={mentioning.list?.id}
        aria-activedescendant={mentioning.list?.active}
        onChange={(event) => {
          onChange(event.target.value)
          mentioning.caret(event.target.selectionStart)
        }}
        onKeyDown={(event) => {
          mentioning.onKey(event)
          // leaves the text, so that single-key shortcuts work
          if (event.key === 'Escape' && !event.defaultPrevented) event.currentTarget.blur()
        }}
        onBlur={mentioning.close}
        placeholder="What do you want to say?"
        spellCheck
        className={clsx(
          layer,
          short ? 'min-h-22' : 'min-h-36',
          'w-full resize-none overflow-hidden bg-transparent text-transparent caret-ink outline-none selection:text-transparent',
        )}
      />
    </div>
  )
}

function paint(text: string, spans: readonly Span[], overflowAt = text.length): ReactNode[] {
  const edges = new Set([0, text.length, Math.min(overflowAt, text.length)])
  for (const span of spans) edges.add(span.start).add(span.end)
  const sorted = [...edges].toSorted((a, b) => a - b)
  return sorted.slice(0, -1).map((start, i) => {
    const linked = spans.some((span) => span.start <= start && start < span.end)
    return (
      <span
        key={start}
        className={clsx(linked ? 'text-accent' : '', start >= overflowAt ? 'bg-bad-soft text-bad' : '')}
      >
        {text.slice(start, sorted[i + 1])}
      </span>
    )
  })
}
