import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function SignupScreen() {
  return <StandalonePage title="Sign up">This screen is not here yet.</StandalonePage>
}
