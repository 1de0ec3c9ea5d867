import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Trash from 'lucide-react/icons/trash'
import { memo, useId, useMemo, type ComponentType } from 'react'
import { countText } from '#contract/platforms/countText.ts'
import { typeInto } from '#web/lib/typeInto.ts'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'
import { countsOf, errorAt, overflowAt, withoutText } from './checks.ts'
import { useCheckResults, useComposer, useFileFacts, useVersion } from './ComposerContext.ts'
import { Counter } from './Counter.tsx'
import type { Item } from './doc.ts'
import { HighlightedTextArea } from './HighlightedTextArea.tsx'
import { fieldOf } from './useInsert.ts'
import { useMentioning } from './useMentioning.tsx'

/** An item's parts from other features: the text's buttons, and its files. */
export type ItemSlots = { Tools: ComponentType<{ itemKey: string }>; Tray: ComponentType<{ itemKey: string }> }
type Props = ItemSlots & { item: Item; place: number; of: number }

/** The text and files of one post; several are a thread. */
export const ItemEditor = memo(function ItemEditor({ item, place, of, Tools, Tray }: Props) {
  const { store, textRef } = useComposer()
  const { scope: at, counted, sharing, taken } = useVersion()
  const { errors } = useCheckResults()
  const factsOf = useFileFacts()
  const types = item.media.map((key) => factsOf(key)?.contentType ?? '').join(' ')
  const change = (part: { title: string } | { text: string }) =>
    store.dispatch({ type: 'itemChanged', at, key: item.key, change: part })
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
    channels: sharing,
    onChoose: ({ text, caret }, mention) => {
      const field = fieldOf(item.key)
      if (field) typeInto(field, text, caret)
      store.dispatch({ type: 'personMentioned', at, key: item.key, text, mention })
    },
  })
  const titled = place === 0 ? taken.flatMap(({ rules }) => (rules.title ? [rules.title] : [])) : []
  const titling = [...new Set(taken.flatMap(({ rules, platform }) => (rules.title ? [platform.label] : [])))]
  const titledBy =
    titling.length < new Set(taken.map(({ platform }) => platform.key)).size
      ? new Intl.ListFormat('en').format(titling)
      : undefined
  // the fullest one of several
  const titleCount = titled
    .map(({ max, unit = 'characters' }) => ({ max, used: countText(item.title.trim(), unit) }))
    .toSorted((a, b) => b.used / b.max - a.used / a.max || a.max - b.max)[0]
  const unseen = item.text.trim() === '' ? undefined : withoutText(taken)
  const name = place === 0 ? 'Text' : `Text of post ${place + 1}`
  return (
    <div
      role={of > 1 ? 'group' : undefined}
      aria-label={of > 1 ? `Post ${place + 1} of ${of}` : undefined}
      onFocus={() => store.dispatch({ type: 'itemFocused', key: item.key })}
      className="grid min-w-0 gap-3"
    >
      {titled.length > 0 ? (
        <Field
          label="Title"
          hint={titledBy ? `Shown on ${titledBy}.` : undefined}
          optional={titled.every(({ required }) => !required)}
          error={place === 0 ? errorAt(errors, counted, 'contents.0.title') : undefined}
          aside={<span className="tnum">{`${titleCount?.used} / ${titleCount?.max}`}</span>}
        >
          <TextInput value={item.title} onChange={(event) => change({ title: event.target.value })} />
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
                onClick={() => store.dispatch({ type: 'itemMoved', at, key: item.key, by: -1 })}
              />
              <IconButton
                label={`Move post ${place + 1} down`}
                size="s"
                icon={<ArrowDown size={14} />}
                disabled={place === of - 1}
                onClick={() => store.dispatch({ type: 'itemMoved', at, key: item.key, by: 1 })}
              />
              <IconButton
                label={`Remove post ${place + 1}`}
                size="s"
                icon={<Trash size={14} />}
                onClick={() => store.dispatch({ type: 'itemRemoved', at, key: item.key })}
              />
            </span>
          </div>
        ) : null}
        <HighlightedTextArea
          ref={place === 0 ? textRef : undefined}
          label={name}
          name={item.key}
          value={item.text}
          onChange={(text) => change({ text })}
          spans={spans}
          overflowAt={overflow}
          invalid={overflow !== undefined}
          describedBy={counterId}
          short={of > 1}
          mentioning={mentioning}
        />
        {mentioning.shown}
        <div className="flex items-center justify-between gap-2 border-t border-line py-1 pr-3.5 pl-1.5">
          <span className="flex items-center">
            <Tools itemKey={item.key} />
          </span>
          {/* without a channel there's no limit to count against */}
          <Counter id={counterId} counts={sharing.length > 0 ? counts : []} />
        </div>
      </div>
      {unseen ? (
        <p role="status" className="text-sm text-pretty text-wait">
          {unseen} doesn't show text, so this text won't be published there.
        </p>
      ) : null}
      <Tray itemKey={item.key} />
    </div>
  )
})
