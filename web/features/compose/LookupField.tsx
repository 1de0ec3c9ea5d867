import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { LookupItem, LookupKind } from '#contract/platforms/rules.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Combobox } from '#web/ui/Combobox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useLookup } from './useLookup.ts'

type Frame = { label: string; optional: boolean; error: string | undefined }

/** The names of values chosen on this page: what is saved is the platform's ID. */
const names = new Map<string, string>()

type Props = {
  channelId: string
  kind: LookupKind
  frame: Frame
  value: string | undefined
  onChange: (id: string | undefined) => void
  /** The plain field, with the reason why the value has to be typed. */
  typed: (why: string) => ReactNode
}

/** A value from a list of the channel's platform, found by its name. */
export function LookupField({ channelId, kind, frame, value, onChange, typed }: Props) {
  const [words, setWords] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const offer = useLookup(channelId, kind, words)
  /** It replaces the focused element, so it takes the focus. */
  const choose = (id: string | undefined) => {
    onChange(id)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('button, input')?.focus())
  }
  const isTyped = offer.kind === 'none'
  const searched = words !== ''
  useEffect(() => {
    // someone who was searching continues in the field that replaces it
    if (isTyped && searched) box.current?.querySelector('input')?.focus()
  }, [isTyped, searched])
  if (offer.kind === 'none')
    return <div ref={box}>{typed(offer.why ?? "This platform doesn't offer a list. Enter the ID.")}</div>
  const items = offer.kind === 'offered' ? offer.items : []
  if (value !== undefined) {
    const name = items.find(({ id }) => id === value)?.name ?? names.get(`${channelId} ${kind} ${value}`) ?? value
    return (
      <div ref={box} className="grid content-start gap-1.5">
        <span className="text-sm font-semibold">{frame.label}</span>
        <span className="flex min-h-8 items-center justify-between gap-2 rounded-md border border-line bg-canvas pr-1 pl-2.5">
          <span dir="auto" className="min-w-0 truncate">
            {name}
          </span>
          <Button size="s" tone="quiet" aria-label={`Change ${frame.label}: ${name}`} onClick={() => choose(undefined)}>
            Change
          </Button>
        </span>
        {frame.error ? (
          <p role="alert" className="text-sm text-bad">
            {frame.error}
          </p>
        ) : null}
      </div>
    )
  }
  return (
    <div ref={box}>
      <Field
        {...frame}
        hint={
          kind === 'places' && words.trim() === ''
            ? 'Enter the name of a place.'
            : hintOf(offer.kind === 'loading' || (offer.kind === 'offered' && offer.waits), items.length, words)
        }
      >
        <Combobox
          placeholder="Search"
          listLabel={frame.label}
          value={words}
          options={items.map((item) => optionOf(item, words))}
          onChange={(next) => {
            const item = items.find(({ id }) => id === next)
            if (!item) return setWords(next)
            names.set(`${channelId} ${kind} ${item.id}`, item.name)
            setWords('')
            choose(item.id)
          }}
        />
      </Field>
    </div>
  )
}

type Person = { userId: string; name: string }

/** People who are tagged in a post, looked up at the platform. */
export function PeopleField({
  channelId,
  frame,
  value,
  onChange,
}: {
  channelId: string
  frame: Frame
  value: readonly Person[]
  onChange: (people: Person[]) => void
}) {
  const [words, setWords] = useState('')
  const offer = useLookup(channelId, 'people', words)
  // nobody can be tagged by typing: the platform wants its own IDs
  if (offer.kind === 'none' && value.length === 0) return null
  const items =
    offer.kind === 'offered' ? offer.items.filter(({ id }) => !value.some(({ userId }) => userId === id)) : []
  return (
    <div className="grid content-start gap-1.5">
      <Field
        {...frame}
        hint={
          offer.kind === 'none'
            ? "People can't be looked up right now."
            : words.trim() === ''
              ? undefined
              : hintOf(offer.kind === 'offered' && offer.waits, items.length, words)
        }
      >
        <Combobox
          placeholder="Search people"
          listLabel={frame.label}
          value={words}
          options={items.map((item) => optionOf(item, words))}
          onChange={(next) => {
            const item = items.find(({ id }) => id === next)
            if (!item) return setWords(next)
            setWords('')
            onChange([...value, { userId: item.id, name: item.name }])
          }}
        />
      </Field>
      {value.length > 0 ? (
        <ul aria-label={frame.label} className="flex flex-wrap gap-1.5">
          {value.map(({ userId, name }) => (
            <li key={userId} className="flex items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1 pl-2.5 text-sm">
              {name}
              <IconButton
                size="s"
                label={`Remove ${name}`}
                icon={<X size={12} />}
                onClick={() => onChange(value.filter((person) => person.userId !== userId))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function hintOf(waits: boolean, found: number, words: string): string | undefined {
  if (waits) return 'Looking…'
  return found === 0 ? (words.trim() ? 'No results.' : 'Nothing to choose from yet.') : undefined
}

/** The platform did the search: all its results are offered, whether or not the name contains the typed text. */
const optionOf = ({ id, name, detail, pictureUrl }: LookupItem, words: string) => ({
  value: id,
  name: `${name} ${words}`,
  shown: (
    <span className="flex min-w-0 items-center gap-2">
      {pictureUrl ? <Avatar name={name} src={pictureUrl} size={24} /> : null}
      <span className="min-w-0">
        <span dir="auto" className="block truncate">
          {name}
        </span>
        {detail ? (
          <span dir="auto" className="block truncate text-sm text-ink-muted">
            {detail}
          </span>
        ) : null}
      </span>
    </span>
  ),
})
