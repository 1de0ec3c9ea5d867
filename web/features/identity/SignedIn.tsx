import type { User } from '#contract/identity.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/StandalonePage.tsx'

type Props = { user: User; onContinue: () => void; onLogOut: () => void; leaving: boolean }

/** Instead of a form for people who are logged out: who is logged in, and two ways to continue. */
export function SignedIn({ user, onContinue, onLogOut, leaving }: Props) {
  return (
    <Card className="grid gap-4">
      <p className="text-pretty">
        You're logged in as{' '}
        <b dir="auto" className="font-semibold wrap-anywhere">
          {user.email}
        </b>
        .
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" size="l" onClick={onContinue}>
          Continue
        </Button>
        <Button size="l" loading={leaving} onClick={onLogOut}>
          Log out
        </Button>
      </div>
    </Card>
  )
}
