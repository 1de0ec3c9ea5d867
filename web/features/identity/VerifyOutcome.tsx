import type { ApiFailure } from '#web/lib/failure.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'

type Props = { outcome: ApiFailure; asking: boolean; onRequest: () => void; onContinue: () => void }

/** Why a code did not count, and the one thing to do about it. */
export function VerifyOutcome({ outcome, asking, onRequest, onContinue }: Props) {
  const text = outcome.detail ?? outcome.title
  if (outcome.code === 'USER_ALREADY_CONFIRMED') {
    const onward = (
      <Button tone="primary" onClick={onContinue}>
        Continue
      </Button>
    )
    return <Banner live tone="info" title={text} actions={onward} />
  }
  const anew =
    outcome.code === 'LIMIT_EXCEEDED' ? null : (
      <Button loading={asking} onClick={onRequest}>
        Request a new code
      </Button>
    )
  return <Banner live tone="bad" title={text} actions={anew} />
}
