import { useState } from 'react'
import { TextInput } from '#web/ui/TextInput.tsx'
import { emojiGroups } from './emoji.ts'

/** A small set of emoji, searchable by words. */
export default function EmojiList({ onChoose }: { onChoose: (emoji: string) => void }) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const groups = emojiGroups
    .map(({ name, emoji }) => ({ name, emoji: emoji.filter(([, found]) => found.includes(words)) }))
    .filter(({ emoji }) => emoji.length > 0)
  return (
    <div className="grid gap-2">
      <TextInput
        aria-label="Find an emoji"
        placeholder="Find"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <div className="grid max-h-64 gap-2 overflow-y-auto">
        {groups.length === 0 ? <p className="text-sm text-ink-muted">Nothing found</p> : null}
        {groups.map(({ name, emoji }) => (
          <section key={name} aria-label={name}>
            <h2 className="mb-1 text-xs font-semibold text-ink-muted">{name}</h2>
            <div className="grid grid-cols-8 gap-0.5">
              {emoji.map(([sign, found]) => (
                <button
                  key={sign}
                  type="button"
                  aria-label={found}
                  title={found}
                  onClick={() => onChoose(sign)}
                  className="grid size-8 place-items-center rounded-md text-xl hover:bg-hover"
                >
                  {sign}
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}
