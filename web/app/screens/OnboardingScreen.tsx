import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function OnboardingScreen() {
  return <StandalonePage title="Welcome">This screen is not here yet.</StandalonePage>
}
