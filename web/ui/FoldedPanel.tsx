import { clsx } from 'clsx'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useId, useState, type ReactNode } from 'react'
import { forget, recall, remember } from '#web/lib/remember.ts'
import { useIsPhone } from './useMedia.ts'

type Props = {
  title: string
  /** Of its heading, below that of another section. */ level?: 2 | 3
  /** Its name in the browser's memory, the same wherever this section is. */ name: string
  /** Next to the heading; on a phone, above the content. */ aside?: ReactNode
  /** Open at first: people come for it. */ isWanted?: boolean
  children: ReactNode
}

/**
 * A section of a long page, like `Panel`. On a phone it's closed until someone opens it, and then stays open: the browser remembers
 * it. What is in a closed one isn't there, so it loads nothing.
 */
export function FoldedPanel({ title, level = 2, name, aside, isWanted = false, children }: Props) {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  const isPhone = useIsPhone()
  const key = `open.${name}`
  const [isOpen, setOpen] = useState(() => isWanted || recall(key) !== undefined)
  const toggle = () => {
    if (isOpen) forget(key)
    else remember(key, 'yes')
    setOpen(!isOpen)
  }
  const isShown = isOpen || !isPhone
  return (
    <section aria-labelledby={`${id}-title`} className="grid scroll-mt-4 min-w-0 content-start gap-2">
      <div className={clsx('flex min-h-7 items-center gap-3', isPhone ? '' : 'justify-between')}>
        <Heading
          id={`${id}-title`}
          className={clsx(level === 2 ? 'text-lg font-bold' : 'text-base font-bold', isPhone ? 'grow' : '')}
        >
          {isPhone ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={`${id}-content`}
              onClick={toggle}
              className={clsx(
                'flex min-h-12 w-full items-center justify-between gap-3 text-left',
                isOpen ? '' : 'rounded-lg border border-line bg-surface px-3.5',
              )}
            >
              {title}
              <ChevronDown size={18} aria-hidden className={clsx('text-ink-muted', isOpen ? 'rotate-180' : '')} />
            </button>
          ) : (
            title
          )}
        </Heading>
        {isPhone ? null : aside}
      </div>
      <div id={`${id}-content`} className={clsx('grid min-w-0 content-start gap-2', isShown ? '' : 'hidden')}>
        {isPhone && isShown ? aside : null}
        {isShown ? children : null}
      </div>
    </section>
  )
}
