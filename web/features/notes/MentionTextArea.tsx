import { clsx } from 'clsx'
import { useEffect, useId, useRef, useState } from 'react'
import { typeInto } from '#web/lib/typeInto.ts'
import { floatingClass } from '#web/ui/floatingClass.ts'
import { TextArea } from '#web/ui/TextArea.tsx'
import { fittingPeople, mentionAt, withMention, type Mentionable } from './mentions.ts'

type Props = {
  label: string
  value: string
  onChange: (text: string) => void
  people: readonly Mentionable[]
  placeholder?: string
  rows?: number
  takesFocus?: boolean
  onSubmit: () => void
}

/** A text field where @ suggests people of the project. Ctrl or Cmd with Enter submits. */
export function MentionTextArea({
  label,
  value,
  onChange,
  people,
  placeholder,
  rows = 2,
  takesFocus = false,
  onSubmit,
}: Props) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  const [closed, setClosed] = useState(false)
  const [active, setActive] = useState(0)
  const typing = closed ? undefined : mentionAt(value, caret)
  const fitting = typing ? fittingPeople(people, typing.words) : []
  const shown = fitting.length > 0
  useEffect(() => {
    if (takesFocus) area.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    if (!shown) return undefined
    // Escape closes the list first; the next press closes the sheet around it, which listens on the document
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setClosed(true)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [shown])
  const choose = (person: Mentionable) => {
    if (!typing || !area.current) return
    const next = withMention(value, caret, typing.from, person)
    typeInto(area.current, next.text, next.caret)
    setClosed(true)
  }
  return (
    <div className="relative">
      <TextArea
        ref={area}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={shown ? `${id}-people` : undefined}
        aria-activedescendant={shown ? `${id}-${active}` : undefined}
        placeholder={placeholder}
        rows={rows}
        value={value}
        onChange={(event) => {
          onChange(event.target.value)
          setCaret(event.target.selectionStart)
          setClosed(false)
          setActive(0)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onBlur={() => setClosed(true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            onSubmit()
          } else if (shown && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
            event.preventDefault()
            setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : -1) + fitting.length) % fitting.length)
          } else if (shown && (event.key === 'Enter' || event.key === 'Tab')) {
            const person = fitting[active]
            if (!person) return
            event.preventDefault()
            choose(person)
          }
        }}
      />
      {shown ? (
        <ul
          id={`${id}-people`}
          role="listbox"
          aria-label="People to mention"
          className={clsx(floatingClass, 'absolute inset-x-0 bottom-full z-10 mb-1 max-h-56 overflow-y-auto p-1')}
        >
          {fitting.map((person, index) => (
            // it gets its keys from the text field, which keeps the focus
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <li
              key={person.userId}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // before the text field loses the focus
              onPointerDown={(event) => {
                event.preventDefault()
                choose(person)
              }}
              className={clsx(
                'flex min-h-8 cursor-pointer items-center rounded-[6px] px-2 hover:bg-hover pointer-coarse:min-h-10',
                index === active ? 'bg-hover' : '',
              )}
            >
              {person.name}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
