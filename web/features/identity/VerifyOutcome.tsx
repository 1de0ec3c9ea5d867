import type { ApiFailure, FailureCode } from '#web/lib/failure.ts'
import { clockOf } from '#web/lib/wait.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'

/** Outcomes with a text of their own on the page; a wrong code is shown at its field. */
export const outcomes = [
  'EXPIRED_CODE',
  'LIMIT_EXCEEDED',
  'USER_ALREADY_CONFIRMED',
  'INVALID_CODE',
] as const satisfies FailureCode[]

type Props = {
  outcome: ApiFailure
  signedIn: boolean
  /** Seconds until another code can be asked for. */
  wait: number
  asking: boolean
  onRequest: () => void
  onContinue: () => void
}

/** Why a code didn't count, and the one thing to do about it. */
export function VerifyOutcome({ outcome, signedIn, wait, asking, onRequest, onContinue }: Props) {
  const words = outcome.detail ?? outcome.title
  const newCode = (
    <Button loading={asking} disabled={wait > 0} onClick={onRequest}>
      {wait > 0 ? `Request a new code in ${clockOf(wait)}` : 'Request a new code'}
    </Button>
  )
  // the page shows no other outcomes here
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (outcome.code) {
    case 'USER_ALREADY_CONFIRMED':
      return (
        <Banner
          live
          tone="info"
          title="Email already confirmed"
          actions={
            signedIn ? (
              <Button tone="primary" onClick={onContinue}>
                Continue
              </Button>
            ) : (
              <ButtonLink to="/login" tone="primary">
                Log in
              </ButtonLink>
            )
          }
        >
          {signedIn ? "You don't need to enter a code anymore." : words}
        </Banner>
      )
    case 'LIMIT_EXCEEDED':
      return (
        // the clock ticks outside of what is read aloud
        <div className="grid gap-2">
          <Banner live tone="bad" title="Limit exceeded">
            {outcome.meta['retryAfterSeconds']
              ? 'Too many codes or attempts. You can request one code a minute, up to five an hour.'
              : words}
          </Banner>
          {newCode}
        </div>
      )
    case 'EXPIRED_CODE':
      return (
        <Banner live tone="bad" title="Code expired" actions={newCode}>
          {words}
        </Banner>
      )
    default:
      return (
        <Banner live tone="bad" title="Request a new code first" actions={newCode}>
          {words}
        </Banner>
      )
  }
}
