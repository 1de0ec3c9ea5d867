import { StandalonePage } from '#web/ui/StandalonePage.tsx'

export default function ResetPasswordScreen() {
  return <StandalonePage title="Set a new password">This screen is not here yet.</StandalonePage>
}
