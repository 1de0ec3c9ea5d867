import { clsx } from 'clsx'
import { useEffect, useId, useState, type ComponentProps, type ReactNode } from 'react'
import { floatingClass } from './floatingClass.ts'
import { TextInput } from './TextInput.tsx'

export type ComboOption = { value: string; /** What is searched besides the value. */ name: string; shown: ReactNode }

type Props = Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'onSelect'> & {
  value: string
  onChange: (value: string) => void
  options: readonly ComboOption[]
  /** Names the list for screen readers. */
  listLabel: string
}

/** A text field with suggestions while someone types; any other text is allowed as well. */
export function Combobox({ value, onChange, options, listLabel, ...rest }: Props) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const words = value.trim().toLowerCase()
  const fitting = options.filter(
    (option) => `${option.name} ${option.value}`.toLowerCase().includes(words) && option.value !== words,
  )
  const shown = open && fitting.length > 0
  useEffect(() => {
    if (!shown) return undefined
    // Esc first closes the list, and the dialog around it, which listens on the document, with the next press
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setOpen(false)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [shown])
  useEffect(() => {
    // a long list follows the keys
    if (shown && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, shown, active])
  const choose = (option: ComboOption) => {
    onChange(option.value)
    setOpen(false)
    setActive(-1)
  }
  return (
    <div className="relative">
      <TextInput
        {...rest}
        value={value}
        role="combobox"
        aria-expanded={shown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={shown && active >= 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        onClick={() => setOpen(true)}
        onBlur={(event) => {
          setOpen(false)
          rest.onBlur?.(event)
        }}
        onChange={(event) => {
          onChange(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault()
            setOpen(true)
            const step = event.key === 'ArrowDown' ? 1 : -1
            setActive((now) =>
              fitting.length === 0 ? -1 : (Math.max(now, step > 0 ? -1 : 0) + step + fitting.length) % fitting.length,
            )
          } else if (event.key === 'Enter' && shown) {
            const option = fitting[active]
            if (!option) return
            event.preventDefault()
            choose(option)
          }
        }}
      />
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label={listLabel}
        hidden={!shown}
        className={clsx(floatingClass, 'absolute inset-x-0 top-full z-10 mt-1 max-h-56 overflow-y-auto p-1')}
      >
        {fitting.map((option, index) => (
          // keys reach it through the field, which has the focus
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <li
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // before the field loses the focus
            onPointerDown={(event) => {
              event.preventDefault()
              choose(option)
            }}
            className={clsx(
              'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-[6px] px-2 py-1 hover:bg-hover',
              index === active ? 'bg-hover' : '',
            )}
          >
            {option.shown}
          </li>
        ))}
      </ul>
    </div>
  )
}
