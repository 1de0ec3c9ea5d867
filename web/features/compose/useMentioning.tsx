import { clsx } from 'clsx'
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Channel } from '#contract/channels.ts'
import { floatingClass } from '#web/ui/floatingClass.ts'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import type { DocMention } from './doc.ts'
import { mentionAt, withMention } from './mentionAt.ts'
import { useMentionables, useWhyNoMentions, type Mentionable } from './useLookup.ts'

/** What the text field needs to know about the list that an @ opens. */
export type Mentioning = {
  caret: (at: number) => void
  /** Returns whether the list handled the key. */
  onKey: (event: KeyboardEvent<HTMLTextAreaElement>) => void
  close: () => void
  list: { id: string; active: string } | undefined
  shown: ReactNode
}

/** Offers people on the platforms while an @ is typed; the chosen one's name goes into the text. */
export function useMentioning({
  text,
  channels,
  onChoose,
}: {
  text: string
  channels: readonly Channel[]
  onChoose: (change: { text: string; caret: number }, mention: DocMention) => void
}): Mentioning {
  const id = useId()
  const [caret, setCaret] = useState(0)
  const [closed, setClosed] = useState(true)
  const [active, setActive] = useState(0)
  const typing = closed ? undefined : mentionAt(text, caret)
  const people = useMentionables(channels, typing?.words)
  const open = typing !== undefined && people.length > 0
  const why = useWhyNoMentions(channels, typing !== undefined)
  const choose = (person: Mentionable) => {
    if (!typing) return
    const insert = person.insert ?? person.name
    onChoose(withMention(text, caret, typing.from, insert), {
      channelId: person.channel.channelId,
      userId: person.id,
      name: insert,
    })
    setClosed(true)
  }
  return {
    caret: (at) => {
      setCaret(at)
      setClosed(false)
      setActive(0)
    },
    close: () => setClosed(true),
    onKey: (event) => {
      if (!open) return
      if (event.key === 'Escape') setClosed(true)
      else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
        setActive((now) => (now + (event.key === 'ArrowDown' ? 1 : -1) + people.length) % people.length)
      else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab') {
        const person = people[active]
        if (!person) return
        choose(person)
      } else return
      event.preventDefault()
      event.stopPropagation()
    },
    list: open ? { id: `${id}-people`, active: `${id}-${active}` } : undefined,
    shown: open ? (
      <ul
        id={`${id}-people`}
        role="listbox"
        aria-label="People to mention"
        className={clsx(floatingClass, 'absolute inset-x-2 top-full z-10 mt-1 p-1')}
      >
        {people.map((person, index) => (
          // keys reach it through the text, which has the focus
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <li
            key={`${person.channel.channelId} ${person.id}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // before the text loses the focus
            onPointerDown={(event) => {
              event.preventDefault()
              choose(person)
            }}
            className={clsx(
              'flex min-h-9 cursor-pointer items-center gap-2 rounded-[6px] px-2 py-1 hover:bg-hover pointer-coarse:min-h-10',
              index === active ? 'bg-hover' : '',
            )}
          >
            <PlatformIcon platform={person.channel.platformName} size={15} named />
            <span dir="auto" className="min-w-0 truncate">
              {person.name}
            </span>
            {person.detail ? (
              <span dir="auto" className="min-w-0 truncate text-sm text-ink-muted">
                {person.detail}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    ) : typing !== undefined && why !== undefined ? (
      <p
        role="status"
        className={clsx(floatingClass, 'absolute inset-x-2 top-full z-10 mt-1 px-3 py-2 text-sm text-ink-muted')}
      >
        {why}
      </p>
    ) : null,
  }
}
