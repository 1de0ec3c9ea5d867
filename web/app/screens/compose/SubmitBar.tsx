import CalendarClock from 'lucide-react/icons/calendar-clock'
import ChevronDown from 'lucide-react/icons/chevron-down'
import FileText from 'lucide-react/icons/file-text'
import ListPlus from 'lucide-react/icons/list-plus'
import Send from 'lucide-react/icons/send'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import UserCheck from 'lucide-react/icons/user-check'
import { scopes, type Scope } from '#contract/posts.ts'
import { isRepeating, type Plan } from '#web/features/compose/plan.ts'
import { zoneText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { instantOfMoment, momentWords } from '#web/lib/moment.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { Menu, MenuItem } from '#web/ui/Menu.tsx'
import { Select } from '#web/ui/Select.tsx'
import { modKey } from '../../shell/modKey.ts'
import type { SubmitMode } from './submitMode.ts'

type Props = {
  plan: Plan
  /** How many channels go out at a time of their own. */
  ownTimes: number
  editing: boolean
  /** Where a published post is changed; undefined for all others. */
  liveOn: string | undefined
  mode: SubmitMode['mode']
  /** It is not known yet how it goes out. */
  loading: boolean
  /** The way to read again what failed and has to be known. */
  onRetry: (() => void) | undefined
  retrying: boolean
  pending: boolean
  capped: boolean
  /** How many times a series makes. */
  times: number
  /** How many channels would refuse it, and the way to what has to be mended. */
  broken: number
  onBroken: () => void
  /** Of a post that belongs to a series: which of its posts are changed. */
  scope:
    | {
        value: Scope
        count: number
        all: number
        onChange: (scope: Scope) => void
        /** Also those whose words were changed by themselves. */ overwrite: boolean
        onOverwrite: (overwrite: boolean) => void
      }
    | undefined
  onSubmit: () => void
  /** Where the person may choose it. */
  onApprove: (() => void) | undefined
  /** Undoes that, for those who may publish. */
  onWithoutApproval: (() => void) | undefined
  onKeepDraft: (() => void) | undefined
}

/** The one button of the composer, with the time and zone that it means. It stays in view. */
export function SubmitBar({
  plan,
  ownTimes,
  editing,
  liveOn,
  mode,
  loading,
  onRetry,
  retrying,
  pending,
  capped,
  times,
  broken,
  onBroken,
  scope,
  onSubmit,
  onApprove,
  onWithoutApproval,
  onKeepDraft,
}: Props) {
  const verb = liveOn === undefined ? verbOf(plan, mode, editing, times) : `Save on ${liveOn}`
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
            {pending ? (
              <span className="text-sm text-ink-muted">Submitting your post…</span>
            ) : broken > 0 ? (
              <button
                type="button"
                onClick={onBroken}
                className="flex min-h-6 items-center gap-1.5 rounded-sm text-sm font-semibold text-bad underline-offset-2 hover:underline"
              >
                <TriangleAlert size={14} aria-hidden />
                {count(broken, 'channel')} {broken === 1 ? 'has' : 'have'} a problem
              </button>
            ) : null}
          </span>
          {onRetry ? (
            <span role="alert" className="mr-auto flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-bad">
              We couldn't load the approval workflows.
              <Button size="s" loading={retrying} onClick={onRetry}>
                Try again
              </Button>
            </span>
          ) : null}
          {pending || broken > 0 || onRetry ? null : plan.mode === 'once' && !capped ? (
            <span className="tnum mr-auto text-sm text-ink-muted">
              {momentWords(plan.when)}{' '}
              <span className="whitespace-nowrap">{zoneText(plan.when.zone, instantOfMoment(plan.when))}</span>
              {ownTimes > 0 ? `, ${count(ownTimes, 'channel')} at a custom time` : ''}
            </span>
          ) : ownTimes > 0 ? (
            <span className="mr-auto text-sm text-ink-muted">{`${count(ownTimes, 'channel')} at a custom time`}</span>
          ) : null}
          {scope ? (
            <Select
              aria-label="Posts in the series"
              disabled={pending}
              value={scope.value}
              onChange={({ target }) => scope.onChange(scopes.find((one) => one === target.value) ?? 'this')}
              options={[
                { value: 'this', label: 'This post' },
                { value: 'following', label: `This and following posts (${scope.count})` },
                { value: 'all', label: `All posts in the series (${scope.all})` },
              ]}
              className="w-56"
            />
          ) : null}
          {scope && scope.value !== 'this' ? (
            <Checkbox
              label="Include posts that were edited separately"
              disabled={pending}
              checked={scope.overwrite}
              onChange={({ target }) => scope.onOverwrite(target.checked)}
            />
          ) : null}
          <span className="flex items-center gap-1 text-sm text-ink-muted max-md:hidden">
            <Kbd>{modKey}</Kbd>
            <Kbd>Enter</Kbd>
          </span>
          <span className="flex items-center gap-1">
            <Button
              tone="primary"
              loading={pending}
              disabled={capped || loading || onRetry !== undefined}
              onClick={onSubmit}
              icon={<Icon size={14} aria-hidden />}
            >
              {verb}
            </Button>
            {onApprove || onWithoutApproval || onKeepDraft ? (
              <Menu
                align="end"
                side="top"
                trigger={
                  <IconButton
                    label="More options"
                    disabled={pending}
                    icon={<ChevronDown size={16} />}
                    className="inset-ring inset-ring-line-strong"
                  />
                }
              >
                {onApprove ? (
                  <MenuItem icon={<UserCheck size={14} />} onSelect={onApprove}>
                    Send for approval
                  </MenuItem>
                ) : null}
                {onWithoutApproval ? (
                  <MenuItem icon={<Send size={14} />} onSelect={onWithoutApproval}>
                    Send without approval
                  </MenuItem>
                ) : null}
                {onKeepDraft ? (
                  <MenuItem icon={<FileText size={14} />} onSelect={onKeepDraft}>
                    Keep as draft
                  </MenuItem>
                ) : null}
              </Menu>
            ) : null}
          </span>
        </>
      )}
    </div>
  )
}

function verbOf(plan: Plan, mode: Props['mode'], editing: boolean, times: number): string {
  if (mode === 'approve') return 'Send for approval'
  if (editing) return plan.mode === 'now' ? 'Save and publish now' : 'Save'
  if (plan.mode === 'now') return 'Publish now'
  if (plan.mode === 'queue') return 'Add to queue'
  return isRepeating(plan) && times > 1 ? `Schedule ${times} times` : 'Schedule'
}
