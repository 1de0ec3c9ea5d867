import { useRef } from 'react'
import { useNow } from '#web/lib/now.ts'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { WhenPicker } from '#web/ui/WhenPicker.tsx'
import { BestTimes } from './BestTimes.tsx'
import { CapWarning } from './CapWarning.tsx'
import { sharedZone } from './chooseChannels.ts'
import {
  useCheckResults,
  useComposer,
  useComposerState,
  useOptions,
  usePlannedChannels,
  useVersion,
} from './ComposerContext.ts'
import { planFor } from './doc.ts'
import { isJustPast, isRepeating, withMode, type Plan } from './plan.ts'
import { QueueChoice } from './QueueChoice.tsx'
import { SeriesEditor } from './SeriesEditor.tsx'
import { SeriesPreview } from './SeriesPreview.tsx'

/**
 * Now, at a time, repeatedly, or by the queue. If a channel can't take more scheduled posts, a warning replaces the
 * scheduler.
 */
export function ScheduleSection() {
  const { store } = useComposer()
  const { repeats, queues } = useOptions()
  const { cap, series, scheduleError: error } = useCheckResults()
  const { channelId } = useVersion()
  const plan = useComposerState(({ doc }) => planFor(doc, channelId))
  const planned = usePlannedChannels()
  const zoneOf = useOtherZone(plan)
  const now = useNow()
  const [best] = planned
  const onChange = (next: Plan) => store.dispatch({ type: 'scheduleChanged', channelId, plan: next })
  const repeating = isRepeating(plan)
  const shown = plan.mode === 'now' ? 'now' : plan.mode === 'queue' ? 'queue' : 'once'
  const modes = [
    { value: 'now', label: 'Publish now' },
    { value: 'once', label: 'Schedule' },
    ...(queues || shown === 'queue' ? [{ value: 'queue', label: 'Queue' } as const] : []),
  ] as const
  const section = useRef<HTMLElement>(null)
  const choose = (mode: Plan['mode']) => {
    onChange(withMode(plan, mode, now))
    // what it opens may be below the screen
    requestAnimationFrame(() => section.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <section ref={section} aria-labelledby="when" className="grid scroll-mb-20 gap-3 max-md:scroll-mb-44">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="when" className="font-bold">
          When
        </h2>
        <Segmented
          label="When"
          options={modes}
          value={shown}
          onChange={(mode) => (mode === shown ? undefined : choose(mode))}
        />
      </div>
      {shown !== 'now' && cap ? <CapWarning {...cap} /> : null}
      {shown === 'queue' && !cap ? <QueueChoice plan={plan} now={now} onChange={onChange} /> : null}
      {shown === 'once' && !cap ? (
        <>
          {repeats || repeating ? (
            <Switch
              label="Repeat"
              checked={repeating}
              onChange={(event) => choose(event.target.checked ? 'weekly' : 'once')}
              className="justify-self-start"
            />
          ) : null}
          {repeating ? (
            <SeriesEditor plan={plan} now={now} onChange={onChange} />
          ) : (
            <WhenPicker value={plan.when} now={now} error={error} onChange={(when) => onChange({ ...plan, when })} />
          )}
          {zoneOf === undefined ? null : <p className="text-sm text-ink-muted">In the time zone of {zoneOf}.</p>}
          {best && !repeating ? (
            <BestTimes channel={best} now={now} onChoose={(when) => onChange({ ...plan, when })} />
          ) : null}
          {series ? (
            <SeriesPreview series={series} zone={plan.when.zone} channels={planned.length} error={error} />
          ) : null}
          {!repeating && !error && isJustPast(plan, now) ? (
            <p className="text-sm text-wait">This time has just passed. The post will be published right away.</p>
          ) : null}
        </>
      ) : null}
    </section>
  )
}
/** Whose time zone it is, if it isn't the project's, to avoid confusion. */
function useOtherZone({ when }: Plan): string | undefined {
  const { zone } = useComposer()
  const planned = usePlannedChannels()
  if (when.zone === zone || sharedZone(planned) !== when.zone) return undefined
  return planned.length === 1 ? planned[0]?.channelName : 'the chosen channels'
}
