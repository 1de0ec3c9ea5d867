import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'

type Props = {
  /** Whether a channel is connected already: then continuing isn't skipping. */
  hasChannel: boolean
  moving: boolean
  onNext: () => void
  children: ReactNode
}

/** The wizard's third step around what connects channels. */
export function ChannelsStep({ hasChannel, moving, onNext, children }: Props) {
  return (
    <div className="grid gap-5">
      {children}
      <Button
        tone={hasChannel ? 'primary' : 'default'}
        size="l"
        loading={moving}
        onClick={onNext}
        className="sm:justify-self-end"
      >
        {hasChannel ? 'Continue' : 'Skip for now'}
      </Button>
    </div>
  )
}
