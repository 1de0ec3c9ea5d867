import { Link } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Check from 'lucide-react/icons/check'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { userDetails } from '#contract/identity.ts'
import { completeSetup, home } from '#contract/organisations.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Panel, paperClass } from './Panel.tsx'

type Props = { ids: ProjectIds; facts: { channels: number; posts: number; scheduledOrSent: number }; mayConnect: boolean }

/** The next steps of somebody new; each is ticked by what is really there. Put away once for good, by its button or by doing them all. */
export function SetupCard({ ids, facts, mayConnect }: Props) {
  const away = useSend(completeSetup, { refreshes: [home, userDetails] })
  const steps = [
    ...(mayConnect || facts.channels > 0 ? [{ key: 'connect', done: facts.channels > 0, title: 'Connect an account', text: 'Rookery publishes to it in your name.', link: <To ids={ids} to="channels" /> }] : []),
    { key: 'compose', done: facts.posts > 0, title: 'Compose a post', text: 'With images, links and a preview.', link: <To ids={ids} to="compose" /> },
    { key: 'plan', done: facts.scheduledOrSent > 0, title: 'Plan it in the calendar', text: 'Move it by hand or by keyboard.', link: <To ids={ids} to="calendar" /> },
  ]
  // nothing is left to try: the card goes by itself
  if (steps.every((step) => step.done)) return null
  return (
    <Panel
      title="Checkout these Features"
      aside={
        <Button size="s" tone="quiet" className="-mr-2.5" loading={away.isPending} onClick={() => away.mutate({ body: {} })}>
          Dismiss
        </Button>
      }
    >
      <ol className={`${paperClass} divide-y divide-line`}>
        {steps.map((step, index) => (
          <li key={step.key} className="relative flex items-center gap-3 px-3 py-2.5 hover:bg-hover">
            <span aria-hidden className={clsx('tnum grid size-6 shrink-0 place-items-center rounded-full text-xs font-bold', step.done ? 'bg-ok-soft text-ok' : 'bg-sunken text-ink-muted inset-ring inset-ring-line-strong')}>
              {step.done ? <Check size={13} strokeWidth={3} /> : index + 1}
            </span>
            <span className="grid min-w-0 grow">
              <span className={clsx('font-semibold', step.done ? 'text-ink-muted' : '')}>
                {step.title}
                {step.done ? <span className="sr-only">, done</span> : null}
              </span>
              <span className="text-sm text-ink-muted">{step.text}</span>
            </span>
            {step.link}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const names = { channels: 'Connect an account', compose: 'Compose a post', calendar: 'Open the calendar' }

/** The arrow at the end of a step; its target covers the whole row. */
function To({ ids, to }: { ids: ProjectIds; to: keyof typeof names }): ReactNode {
  const inside = <ArrowRight size={15} aria-hidden className="text-ink-muted" />
  const look = 'grid size-6 place-items-center rounded-md after:absolute after:inset-0'
  if (to === 'channels') {
    return (
      <Link to="/$orgId/project/$projectId/channels" params={ids} search={{ connect: 'list' }} aria-label={names[to]} className={look}>
        {inside}
      </Link>
    )
  }
  return (
    <Link to={to === 'compose' ? '/$orgId/project/$projectId/compose' : '/$orgId/project/$projectId/calendar'} params={ids} aria-label={names[to]} className={look}>
      {inside}
    </Link>
  )
}
