import { errorCatalogue } from '#contract/errors.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { Button } from '#web/ui/Button.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'

/** Why nothing came, quietly: the person was going to write anyway. */
export function NoSuggestion({ error, onAgain }: { error: ApiFailure; onAgain: () => void }) {
  if (error.code === 'PLAN_LIMIT')
    return <GateNotice gate={error.meta['gate'] === 'ai_credits' ? 'ai_credits' : 'plan_expired'} />
  const [field] = Object.values(error.errors)
  // the catalogue's own sentence says less than what to do next
  const words =
    field?.[0] ??
    (error.code === 'AI_PROMPT_GENERATION_ERROR' && error.detail === errorCatalogue.AI_PROMPT_GENERATION_ERROR.detail
      ? undefined
      : error.detail)
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 text-sm text-ink-muted">
      <p role="status">{words ?? 'Nothing came of it. Try again, or put it in other words.'}</p>
      <Button size="s" onClick={onAgain}>
        Try again
      </Button>
    </div>
  )
}
