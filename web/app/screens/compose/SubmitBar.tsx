import CalendarClock from 'lucide-react/icons/calendar-clock'
import ListPlus from 'lucide-react/icons/list-plus'
import Send from 'lucide-react/icons/send'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import UserCheck from 'lucide-react/icons/user-check'
import {
  useCheckResults,
  useCommands,
  useComposer,
  useComposerState,
  useIsLocked,
  useOptions,
  useVersion,
} from '#web/features/compose/ComposerContext.ts'
import { isRepeating, type Plan } from '#web/features/compose/plan.ts'
import { SeriesScope } from '#web/features/compose/SeriesScope.tsx'
import { leadingPlan } from '#web/features/compose/submission.ts'
import { SubmitMenu } from '#web/features/compose/SubmitMenu.tsx'
import type { SubmitMode } from '#web/features/compose/submitMode.ts'
import { zoneText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { instantOfMoment, momentWords } from '#web/lib/moment.ts'
import { Button } from '#web/ui/Button.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { modKey } from '../../shell/modKey.ts'

/** The one button of the composer, with the time and zone that it means. It stays in view. */
export function SubmitBar() {
  const { store, edited, liveOn } = useComposer()
  const { submit } = useCommands()
  const { mode, readiness, retry, retrying } = useOptions()
  const { cap, times, troubled } = useCheckResults()
  const { chosen } = useVersion()
  const plan = useComposerState(({ doc }) => leadingPlan(doc, chosen))
  const isSubmitted = useComposerState(({ saving }) => saving.kind === 'submitted')
  const isLocked = useIsLocked()
  const isFailed = readiness === 'failed'
  const verb = liveOn === undefined ? verbOf(plan, mode, edited !== undefined, times) : `Save on ${liveOn}`
  const Icon =
    mode === 'approve' ? UserCheck : plan.mode === 'now' ? Send : plan.mode === 'queue' ? ListPlus : CalendarClock
  return (
    <div
      data-submit-bar
      className="sticky bottom-0 z-10 -mx-3.5 -mb-6 flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-line bg-canvas px-3.5 py-3 max-md:bottom-[calc(56px+env(safe-area-inset-bottom))] md:-mx-2 md:mb-0 md:px-2"
    >
      {mode === 'draft' ? (
        <p className="text-ink-muted">Your role can write drafts. Someone with publishing rights can publish them.</p>
      ) : (
        <>
          {/* there before it has something to say, so that it is read aloud */}
          <span role="status" className="mr-auto empty:absolute">
            {isLocked ? (
              <span className="text-sm text-ink-muted">Submitting your post…</span>
            ) : troubled.length > 0 ? (
              <button
                type="button"
                onClick={() => store.dispatch({ type: 'problemsShown', scope: 'all' })}
                className="flex min-h-6 items-center gap-1.5 rounded-sm text-sm font-semibold text-bad underline-offset-2 hover:underline"
              >
                <TriangleAlert size={14} aria-hidden />
                {count(troubled.length, 'channel')} {troubled.length === 1 ? 'has' : 'have'} a problem
              </button>
            ) : null}
          </span>
          {isFailed ? (
            <span role="alert" className="mr-auto flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-bad">
              We couldn't load the approval workflows.
              <Button size="s" loading={retrying} onClick={retry}>
                Try again
              </Button>
            </span>
          ) : null}
          {isLocked || troubled.length > 0 || isFailed ? null : (
            <When plan={plan} isShown={cap === undefined && !isSubmitted} />
          )}
          {edited?.post.series ? <SeriesScope series={edited.post.series} isLocked={isLocked} /> : null}
          <span className="flex items-center gap-1 text-sm text-ink-muted max-md:hidden">
            <Kbd>{modKey}</Kbd>
            <Kbd>Enter</Kbd>
          </span>
          <span className="flex items-center gap-1">
            <Button
              tone="primary"
              loading={isLocked}
              disabled={cap !== undefined || isSubmitted || readiness !== 'known'}
              onClick={submit}
              icon={<Icon size={14} aria-hidden />}
            >
              {verb}
            </Button>
            <SubmitMenu />
          </span>
        </>
      )}
    </div>
  )
}

/** The time and zone that the button means, and how many channels have another one. */
function When({ plan, isShown }: { plan: Plan; isShown: boolean }) {
  const { chosen } = useVersion()
  const own = useComposerState(
    ({ doc }) =>
      chosen.filter(({ channelId }) => {
        const custom = doc.variants[channelId]?.plan
        return custom !== undefined && custom !== plan
      }).length,
  )
  const custom = own > 0 ? `${count(own, 'channel')} at a custom time` : ''
  if (plan.mode !== 'once' || !isShown)
    return custom ? <span className="mr-auto text-sm text-ink-muted">{custom}</span> : null
  return (
    <span className="tnum mr-auto text-sm text-ink-muted">
      {momentWords(plan.when)}{' '}
      <span className="whitespace-nowrap">{zoneText(plan.when.zone, instantOfMoment(plan.when))}</span>
      {custom ? `, ${custom}` : ''}
    </span>
  )
}

function verbOf(plan: Plan, mode: SubmitMode['mode'], editing: boolean, times: number): string {
  if (mode === 'approve') return 'Send for approval'
  if (editing) return plan.mode === 'now' ? 'Save and publish now' : 'Save'
  if (plan.mode === 'now') return 'Publish now'
  if (plan.mode === 'queue') return 'Add to queue'
  return isRepeating(plan) && times > 1 ? `Schedule ${times} times` : 'Schedule'
}
