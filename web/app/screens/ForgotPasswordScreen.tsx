import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function ForgotPasswordScreen() {
  return <StandalonePage title="Forgot password">This screen is not here yet.</StandalonePage>
}
