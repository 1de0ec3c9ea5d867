import type { Approval } from '#contract/workflows.ts'
import { weekdayAndTimeOf } from '#web/lib/format.ts'
import { Timeline } from '#web/ui/Timeline.tsx'

/** Who decided what, and when: on the current content or on an earlier version. */
export function ApprovalRecord({ decisions, zone }: { decisions: Approval['decisions']; zone: string }) {
  if (decisions.length === 0) return null
  return (
    <section className="grid gap-1">
      <h3 className="text-sm font-semibold text-ink-muted">Decisions</h3>
      <Timeline
        label="Decisions"
        items={decisions.map(({ at, by, decision, comment, current }, i) => ({
          key: String(i),
          state: decision === 'approved' ? 'done' : 'failed',
          text: `${by} ${decision === 'approved' ? 'approved' : 'rejected'} ${current ? 'it' : 'an earlier version'}`,
          ...(comment
            ? {
                detail: (
                  <span dir="auto" className="wrap-anywhere whitespace-pre-wrap">
                    {comment}
                  </span>
                ),
              }
            : {}),
          time: weekdayAndTimeOf(at, zone),
          at,
        }))}
      />
    </section>
  )
}
