import CalendarClock from 'lucide-react/icons/calendar-clock'
import Send from 'lucide-react/icons/send'
import { zoneText } from '#web/lib/dates.ts'
import { instantOfMoment, momentWords, type Moment } from '#web/lib/moment.ts'
import type { May } from '#web/lib/permissions.ts'
import { Button } from '#web/ui/Button.tsx'
import { Kbd } from '#web/ui/Kbd.tsx'
import { modKey } from '../../shell/modKey.ts'

type Props = { mode: 'now' | 'once'; when: Moment; editing: boolean; mayPublish: May; pending: boolean; capped: boolean; onSubmit: () => void }

/** The one button of the composer, with the time and zone that it means. It stays in view. */
export function SubmitBar({ mode, when, editing, mayPublish, pending, capped, onSubmit }: Props) {
  const verb = mode === 'now' ? (editing ? 'Save and publish now' : 'Publish now') : editing ? 'Save' : 'Schedule'
  return (
    <div className="sticky bottom-0 z-10 -mx-3.5 -mb-6 flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-t border-line bg-canvas px-3.5 py-3 max-md:bottom-[calc(56px+env(safe-area-inset-bottom))] md:mx-0 md:mb-0 md:px-0">
      {mayPublish === 'no' ? (
        <p className="text-ink-muted">Your role writes drafts. Somebody who may publish sends them.</p>
      ) : (
        <>
          {mode === 'once' && !capped ? (
            <span className="tnum mr-auto text-sm text-ink-muted">
              {momentWords(when)} <span className="whitespace-nowrap">{zoneText(when.zone, instantOfMoment(when))}</span>
            </span>
          ) : null}
          <span className="flex items-center gap-1 text-sm text-ink-muted max-md:hidden">
            <Kbd>{modKey}</Kbd>
            <Kbd>Enter</Kbd>
          </span>
          <Button tone="primary" loading={pending} disabled={capped || mayPublish === 'loading'} onClick={onSubmit} icon={mode === 'now' ? <Send size={14} aria-hidden /> : <CalendarClock size={14} aria-hidden />}>
            {verb}
          </Button>
        </>
      )}
    </div>
  )
}
