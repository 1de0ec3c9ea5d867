import { useComposerState, useVersion } from './ComposerContext.ts'
import { CustomTimes } from './CustomTimes.tsx'
import { ScheduleSection } from './ScheduleSection.tsx'

/** When the version on screen is published, and which channels have a custom time. */
export function Schedule() {
  const { chosen, channelId } = useVersion()
  const isShared = useComposerState(({ doc }) => channelId !== undefined && !doc.variants[channelId]?.plan)
  return (
    <div className="border-t border-line pt-4">
      {isShared && chosen.length > 1 ? (
        <section aria-label="When" className="grid gap-2">
          <h2 className="font-bold">When</h2>
          <CustomTimes />
        </section>
      ) : (
        <div className="grid gap-3">
          {channelId === undefined ? null : <CustomTimes />}
          <ScheduleSection />
          {channelId === undefined ? <CustomTimes /> : null}
        </div>
      )}
    </div>
  )
}
