import { Link } from '@tanstack/react-router'
import ArrowRight from 'lucide-react/icons/arrow-right'
import Check from 'lucide-react/icons/check'
import { clsx } from 'clsx'
import { setupFeatures, type SetupFeature, type User } from '#contract/identity.ts'
import { completeSetup } from '#contract/organizations.ts'
import { finishSetupFeature } from '#contract/profile.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'

type Props = {
  ids: ProjectIds
  progress: User['setupProgress']
  /** An existing post was composed. */ hasPosts: boolean
  /** What the role lets this person try. */ may: Record<SetupFeature, boolean>
}

const words: Record<SetupFeature, { title: string; text: string }> = {
  START_COMPOSING: { title: 'Start composing', text: 'Add images and links, and preview your post.' },
  CALENDAR_VIEW: { title: 'See the calendar', text: 'Drag posts, or move them with the keyboard.' },
  UNIFIED_INBOX: { title: 'Open your inbox', text: 'Answer people from all your channels.' },
  EXPLORE_ANALYTICS: { title: 'Explore analytics', text: 'See how people engage with your posts.' },
  ADD_NEW_MEMBER: { title: 'Add a member', text: 'Give each teammate their own role.' },
  EXPLORE_WORKFLOW: { title: 'Explore workflows', text: 'Decide who approves posts, and when.' },
}

/**
 * The specification's features that this person has, each checked off once they opened it. Dismissed for good with its
 * button or by the last one.
 */
export function SetupCard({ ids, progress, hasPosts, may }: Props) {
  const away = useSend(completeSetup)
  const finish = useSend(finishSetupFeature, { handles: true })
  const isDone = (feature: SetupFeature) =>
    (feature === 'START_COMPOSING' && hasPosts) ||
    progress.features.some((one) => one.feature === feature && one.isCompleted)
  const shown = setupFeatures.filter((feature) => may[feature])
  if (progress.isCompleted || shown.every(isDone)) return null
  return (
    <Panel
      title="Checkout these Features"
      aside={
        <Button
          size="s"
          tone="quiet"
          className="-mr-2.5"
          loading={away.isPending}
          onClick={() => away.mutate({ body: {} })}
        >
          Dismiss
        </Button>
      }
    >
      <ol className={`${paperClass} divide-y divide-line`}>
        {shown.map((feature, index) => (
          <li key={feature} className="relative flex items-center gap-3 px-3 py-2.5 hover:bg-hover">
            <span
              aria-hidden
              className={clsx(
                'tnum grid size-6 shrink-0 place-items-center rounded-full text-xs font-bold',
                isDone(feature) ? 'bg-ok-soft text-ok' : 'bg-sunken text-ink-muted inset-ring inset-ring-line-strong',
              )}
            >
              {isDone(feature) ? <Check size={13} strokeWidth={3} /> : index + 1}
            </span>
            <span className="grid min-w-0 grow">
              <span className={clsx('font-semibold', isDone(feature) ? 'text-ink-muted' : '')}>
                {words[feature].title}
                {isDone(feature) ? <span className="sr-only">, done</span> : null}
              </span>
              <span className="text-sm text-ink-muted">{words[feature].text}</span>
            </span>
            <To
              ids={ids}
              feature={feature}
              onGo={() => (isDone(feature) ? undefined : finish.mutate({ body: { feature } }))}
            />
          </li>
        ))}
      </ol>
    </Panel>
  )
}

/** Where each leads. */
const places = {
  START_COMPOSING: '/$orgId/project/$projectId/compose',
  CALENDAR_VIEW: '/$orgId/project/$projectId/calendar',
  UNIFIED_INBOX: '/$orgId/project/$projectId/inbox',
  EXPLORE_ANALYTICS: '/$orgId/project/$projectId/insights/$',
  ADD_NEW_MEMBER: '/$orgId/project/$projectId/users',
  EXPLORE_WORKFLOW: '/$orgId/project/$projectId/workflows',
} as const satisfies Record<SetupFeature, string>

/** The arrow at the end of a step; its target covers the whole row. */
function To({ ids, feature, onGo }: { ids: ProjectIds; feature: SetupFeature; onGo: () => void }) {
  return (
    <Link
      to={places[feature]}
      params={{ ...ids, _splat: 'insights' }}
      aria-label={words[feature].title}
      onClick={onGo}
      className="grid size-6 place-items-center rounded-md after:absolute after:inset-0"
    >
      <ArrowRight size={15} aria-hidden className="text-ink-muted" />
    </Link>
  )
}
