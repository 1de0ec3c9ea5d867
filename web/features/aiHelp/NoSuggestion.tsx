import { AiFailure, isWorthRetrying } from '#contract/aiFailure.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { Button } from '#web/ui/Button.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'

/** Why there is no suggestion, unobtrusively: the person was going to write anyway. */
export function NoSuggestion({ error, onAgain }: { error: ApiFailure; onAgain: () => void }) {
  if (error.code === 'PLAN_LIMIT')
    return <GateNotice gate={error.meta['gate'] === 'ai_credits' ? 'ai_credits' : 'plan_expired'} />
  const [field] = Object.values(error.errors)
  const why = AiFailure.safeParse(error.meta['why']).data
  const text = field?.[0] ?? error.detail ?? 'No suggestions. Try again, or word it differently.'
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-muted">
      <p role="status">{why === undefined ? text : `${text} No credits were used.`}</p>
      {why !== undefined && !isWorthRetrying(why) ? null : (
        <Button size="s" onClick={onAgain}>
          Try again
        </Button>
      )}
    </div>
  )
}
