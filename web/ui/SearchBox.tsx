import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { TextInput } from './TextInput.tsx'

/** From the last key until the search starts. Milliseconds. */
const PAUSE = 250

type Props = {
  /** What it searches: "Search files". */ label: string
  /** The text in the URL. */ value: string
  onSearch: (words: string) => void
  className?: string
}

/** Searches while someone types, a moment after the last key; Enter searches immediately, Esc clears it. */
export function SearchBox({ label, value, onSearch, className }: Props) {
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [known, setKnown] = useState(value)
  // the URL changed otherwise, such as by Back or a saved view
  if (value !== known) {
    setKnown(value)
    if (value !== sent) {
      setTyped(value)
      setSent(value)
    }
  }
  const search = (words: string) => {
    if (words === sent) return
    setSent(words)
    onSearch(words)
  }
  const words = typed.trim()
  const waited = useEffectEvent((last: string) => search(last))
  useEffect(() => {
    const timer = setTimeout(() => waited(words), PAUSE)
    return () => clearTimeout(timer)
  }, [words])
  const empty = () => {
    setTyped('')
    search('')
  }
  return (
    <TextInput
      role="searchbox"
      aria-label={label}
      placeholder={label}
      value={typed}
      maxLength={100}
      autoComplete="off"
      start={<Search size={14} aria-hidden />}
      end={typed ? <IconButton label="Clear the search" size="s" icon={<X size={13} />} onClick={empty} /> : null}
      onChange={({ target }) => setTyped(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search(words)
        if (event.key === 'Escape' && typed) {
          event.stopPropagation()
          empty()
        }
      }}
      {...(className ? { className } : {})}
    />
  )
}
