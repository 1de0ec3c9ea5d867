import ArrowLeft from 'lucide-react/icons/arrow-left'
import type { ReactNode } from 'react'
import { Steps, type WizardPage } from '#web/features/onboarding/Steps.tsx'
import { Button } from '#web/ui/Button.tsx'
import { StandalonePage } from '#web/ui/StandalonePage.tsx'
import { useLogOut } from '../../useLogOut.ts'

type FrameProps = {
  title: string
  lead?: string
  step?: WizardPage
  logout?: boolean
  /** To the page before, where that is harmless. */ onBack?: () => void
  children: ReactNode
}

/** The frame of every page of the wizard: its steps, its heading, Logout, and the way back. */
export function Frame({ title, lead, step, logout = false, onBack, children }: FrameProps) {
  const { logOut, leaving } = useLogOut()
  return (
    <StandalonePage
      wide
      title={title}
      lead={lead}
      aside={
        logout ? (
          <Button tone="quiet" loading={leaving} onClick={logOut}>
            Logout
          </Button>
        ) : null
      }
    >
      {step ? <Steps current={step} /> : null}
      {/* the steps differ in height: this keeps their head in place */}
      <div className="min-h-108">
        {children}
        {onBack ? (
          <Button tone="quiet" icon={<ArrowLeft size={14} aria-hidden />} onClick={onBack} className="mt-4 -ml-3">
            Back
          </Button>
        ) : null}
      </div>
    </StandalonePage>
  )
}
