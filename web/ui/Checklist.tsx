import Check from 'lucide-react/icons/check'
import Circle from 'lucide-react/icons/circle'
import { clsx } from 'clsx'

/** Requirements and whether each is met, as icon and text. */
export function Checklist({ label, items }: { label: string; items: readonly { text: string; met: boolean }[] }) {
  return (
    <ul aria-label={label} className="grid gap-1 text-sm">
      {items.map(({ text, met }) => (
        <li key={text} className={clsx('flex items-center gap-2', met ? 'text-ok' : 'text-ink-muted')}>
          {met ? <Check size={13} aria-hidden /> : <Circle size={13} aria-hidden className="scale-75" />}
          {text}
          <span className="sr-only">{met ? ', met' : ', not met yet'}</span>
        </li>
      ))}
    </ul>
  )
}
