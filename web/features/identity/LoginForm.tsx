import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '#web/ui/toast.ts'
import { PasswordLogin, type Credentials } from './PasswordLogin.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'

type Step = { kind: 'password'; reason?: string } | { kind: 'second'; challenge: string }

/** Login: password or passkey, and after a password the second step if the account has one. */
export function LoginForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient()
  const [step, setStep] = useState<Step>({ kind: 'password' })
  const [typed, setTyped] = useState<Credentials>({ email: '', password: '' })
  const done = () => {
    // whatever an earlier session left behind belongs to someone else
    queries.clear()
    toast.success('Login Successful')
    onDone()
  }
  if (step.kind === 'second') {
    return (
      <SecondFactorForm
        challenge={step.challenge}
        onDone={done}
        onBack={() => setStep({ kind: 'password' })}
        onOver={(reason) => setStep({ kind: 'password', reason })}
      />
    )
  }
  return (
    <PasswordLogin
      typed={typed}
      reason={step.reason}
      onDone={done}
      onSecondFactor={(challenge, { email }) => {
        setTyped({ email, password: '' })
        setStep({ kind: 'second', challenge })
      }}
    />
  )
}
