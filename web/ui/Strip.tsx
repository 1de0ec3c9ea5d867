import { clsx } from 'clsx'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'

const looks = {
  bad: { Icon: CircleAlert, ground: 'bg-bad-soft', ink: 'text-bad' },
  wait: { Icon: TriangleAlert, ground: 'bg-wait-soft', ink: 'text-wait' },
  info: { Icon: Info, ground: 'bg-info-soft', ink: 'text-info' },
}

type Props = {
  /** Its subject, for people who don't see it. */
  label: string
  tone: keyof typeof looks
  title: string
  text: string
  /** The one way to fix it, or whom to ask. */
  children?: ReactNode
  dismiss?: { label: string; run: () => void } | undefined
}

/** A line above every page: something about the whole organization. */
export function Strip({ label, tone, title, text, children, dismiss }: Props) {
  const { Icon, ground, ink } = looks[tone]
  return (
    <section
      aria-label={label}
      className={clsx(
        'flex shrink-0 items-baseline gap-2.5 border-b border-line px-3.5 py-1.5 text-sm md:px-5',
        ground,
      )}
    >
      <Icon size={15} aria-hidden className={clsx('relative top-0.5 shrink-0', ink)} />
      <p className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 text-pretty">
        <b className="font-bold">{title}</b>
        <span>{text}</span>
        {children}
      </p>
      {dismiss ? (
        <IconButton
          size="s"
          label={dismiss.label}
          icon={<X size={14} />}
          onClick={dismiss.run}
          className="-my-1 -mr-1.5 self-start"
        />
      ) : null}
    </section>
  )
}
