import { getRouteApi } from '@tanstack/react-router'
import MailCheck from 'lucide-react/icons/mail-check'
import { useState } from 'react'
import { ForgotPasswordForm } from '#web/features/identity/ForgotPasswordForm.tsx'
import { MailFolder } from '#web/features/identity/MailFolder.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Link } from '#web/ui/Link.tsx'
import { Card, StandalonePage } from '#web/ui/StandalonePage.tsx'
import { EmptyState } from '#web/ui/states.tsx'

const route = getRouteApi('/forgot-password')

export default function ForgotPasswordScreen() {
  const { email } = route.useSearch()
  const [sentTo, setSentTo] = useState<string>()
  return (
    <StandalonePage
      title="Forgot password"
      lead="We'll email you a link to set a new password."
      footer={<Link to="/login">Back to login</Link>}
    >
      <Card>
        {sentTo ? (
          <div role="status">
            <EmptyState
              icon={<MailCheck size={20} />}
              title="Check your email"
              action={<Button onClick={() => setSentTo(undefined)}>Use another address</Button>}
              className="py-4"
            >
              If {sentTo} has an account, the link is on its way. It works for 1 hour.
            </EmptyState>
            <MailFolder />
          </div>
        ) : (
          <ForgotPasswordForm email={email} onSent={setSentTo} />
        )}
      </Card>
    </StandalonePage>
  )
}
