import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Trash from 'lucide-react/icons/trash'
import { useId, useMemo, type ReactNode, type Ref } from 'react'
import type { Channel } from '#contract/channels.ts'
import { countText } from '#contract/platforms/rules.ts'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { countsOf, overflowAt, withoutText, type Taken } from './checks.ts'
import { Counter } from './Counter.tsx'
import type { DocMention, Item } from './doc.ts'
import { HighlightedTextArea } from './HighlightedTextArea.tsx'
import { useMentioning } from './useMentioning.tsx'

type Props = {
  item: Item
  place: number
  of: number
  /** Of its files, with blanks between them. */
  types: string
  /** What the channels take that say these words. */
  taken: readonly Taken[]
  /** The chosen channels that say them: their platforms know whom an @ may mean. */
  channels: readonly Channel[]
  onChange: (change: Partial<Item>) => void
  onMention: (text: string, mention: DocMention) => void
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  titleError: string | undefined
  /** Buttons that put something into the text. */
  tools: ReactNode
  /** The files of this item. */
  tray: ReactNode
  textRef: Ref<HTMLTextAreaElement> | undefined
  /** Somebody works here: what is dropped belongs here too. */
  onActive: () => void
}

/** The words and files of one post; several make a thread. */
export function ItemEditor({
  item,
  place,
  of,
  types,
  taken,
  channels,
  onChange,
  onMention,
  onMove,
  onRemove,
  titleError,
  tools,
  tray,
  textRef,
  onActive,
}: Props) {
  const counterId = useId()
  const spans = useMemo(() => taken[0]?.platform.findSpans(item.text) ?? [], [item.text, taken])
  const beside = useMemo(
    () => ({ title: item.title, types: types.split(' ').filter(Boolean), isFirst: place === 0 }),
    [item.title, types, place],
  )
  const counts = useMemo(() => countsOf(taken, item.text, beside), [taken, item.text, beside])
  const overflow = useMemo(() => overflowAt(taken, item.text, beside), [taken, item.text, beside])
  const mentioning = useMentioning({
    text: item.text,
    channels,
    onChoose: ({ text, caret }, mention) => {
      onMention(text, mention)
      requestAnimationFrame(() =>
        document
          .querySelector<HTMLTextAreaElement>(`textarea[data-item="${item.key}"]`)
          ?.setSelectionRange(caret, caret),
      )
    },
  })
  const titled = place === 0 ? taken.flatMap(({ rules }) => (rules.title ? [rules.title] : [])) : []
  const titling = [...new Set(taken.flatMap(({ rules, platform }) => (rules.title ? [platform.label] : [])))]
  const titledBy =
    titling.length < new Set(taken.map(({ platform }) => platform.key)).size
      ? new Intl.ListFormat('en').format(titling)
      : undefined
  // of several the one that is fullest
  const titleCount = titled
    .map(({ max, unit = 'characters' }) => ({ max, used: countText(item.title.trim(), unit) }))
    .toSorted((a, b) => b.used / b.max - a.used / a.max || a.max - b.max)[0]
  const unseen = item.text.trim() === '' ? undefined : withoutText(taken)
  const name = place === 0 ? 'Text' : `Text of post ${place + 1}`
  return (
    <div
      role={of > 1 ? 'group' : undefined}
      aria-label={of > 1 ? `Post ${place + 1} of ${of}` : undefined}
      onFocus={onActive}
      className="grid min-w-0 gap-3"
    >
      {titled.length > 0 ? (
        <Field
          label="Title"
          hint={titledBy ? `Shown on ${titledBy}.` : undefined}
          optional={titled.every(({ required }) => !required)}
          error={titleError}
          aside={<span className="tnum">{`${titleCount?.used} / ${titleCount?.max}`}</span>}
        >
          <TextInput value={item.title} onChange={(event) => onChange({ title: event.target.value })} />
        </Field>
      ) : null}
      <div className="relative rounded-lg border border-line-strong bg-surface focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        {of > 1 ? (
          <div className="flex min-h-8 items-center justify-between gap-2 pt-1 pr-1.5 pl-3.5">
            <span className="tnum text-sm font-semibold text-ink-muted">
              {place + 1} / {of}
            </span>
            <span className="flex">
              <IconButton
                label={`Move post ${place + 1} up`}
                size="s"
                icon={<ArrowUp size={14} />}
                disabled={place === 0}
                onClick={() => onMove(-1)}
              />
              <IconButton
                label={`Move post ${place + 1} down`}
                size="s"
                icon={<ArrowDown size={14} />}
                disabled={place === of - 1}
                onClick={() => onMove(1)}
              />
              <IconButton label={`Remove post ${place + 1}`} size="s" icon={<Trash size={14} />} onClick={onRemove} />
            </span>
          </div>
        ) : null}
        <HighlightedTextArea
          ref={textRef}
          label={name}
          name={item.key}
          value={item.text}
          onChange={(text) => onChange({ text })}
          spans={spans}
          overflowAt={overflow}
          invalid={overflow !== undefined}
          describedBy={counterId}
          short={of > 1}
          mentioning={mentioning}
        />
        {mentioning.shown}
        <div className="flex items-center justify-between gap-2 border-t border-line py-1 pr-3.5 pl-1.5">
          <span className="flex items-center">{tools}</span>
          {/* without a channel there is no limit to count against */}
          <Counter id={counterId} counts={channels.length > 0 ? counts : []} />
        </div>
      </div>
      {unseen ? (
        <p role="status" className="text-sm text-pretty text-wait">
          {unseen} doesn't show text, so this text won't be published there.
        </p>
      ) : null}
      {tray}
    </div>
  )
}
