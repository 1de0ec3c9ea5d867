import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'

/** Instead of the form, on a plan for one person. */
export function OneSeat({ onContinue, moving }: { onContinue: () => void; moving: boolean }) {
  return (
    <div className="grid gap-5">
      <Banner tone="info" title="Your plan includes one user">
        To invite others, upgrade to a plan with more users.
      </Banner>
      <Button tone="primary" size="l" loading={moving} onClick={onContinue} className="sm:justify-self-end">
        Continue
      </Button>
    </div>
  )
}
