import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function LoginScreen() {
  return <StandalonePage title="Log in">This screen is not here yet.</StandalonePage>
}
