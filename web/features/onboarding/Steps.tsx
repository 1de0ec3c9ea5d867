import { clsx } from 'clsx'
import Check from 'lucide-react/icons/check'

const pages = [
  { key: 'addOrganization', label: 'Organization' },
  { key: 'setupProject', label: 'Project' },
  { key: 'addChannels', label: 'Channels' },
  { key: 'addUsers', label: 'Users' },
] as const

export type WizardPage = (typeof pages)[number]['key']

/** The wizard's progress. On a phone, only the current step has room for its name. */
export function Steps({ current }: { current: WizardPage }) {
  const at = pages.findIndex((page) => page.key === current)
  return (
    <ol aria-label="Steps" className="mb-6 flex items-center gap-2 text-sm">
      {pages.map((page, index) => (
        <li
          key={page.key}
          aria-current={index === at ? 'step' : undefined}
          className={clsx('flex items-center gap-2', index === at ? 'font-semibold text-ink' : 'text-ink-muted')}
        >
          {index > 0 ? <span aria-hidden className="h-px w-4 bg-line-strong sm:w-8" /> : null}
          <span
            aria-hidden
            className={clsx(
              'tnum grid size-5.5 place-items-center rounded-full text-xs font-bold',
              index < at
                ? 'bg-accent-soft text-accent'
                : index === at
                  ? 'bg-accent text-on-accent'
                  : 'bg-sunken inset-ring inset-ring-line-strong',
            )}
          >
            {index < at ? <Check size={12} strokeWidth={3} /> : index + 1}
          </span>
          <span className={index === at ? '' : 'max-sm:sr-only'}>{page.label}</span>
          {index < at ? <span className="sr-only">, done</span> : null}
        </li>
      ))}
    </ol>
  )
}
