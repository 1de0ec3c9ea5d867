import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function VerifyScreen() {
  return <StandalonePage title="Confirm your email">This screen is not here yet.</StandalonePage>
}
