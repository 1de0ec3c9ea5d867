import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** New recovery codes as a dialog's last step, which closes only once they were saved. */
export function useKeptCodes(title: string, onEnd: () => void) {
  const [codes, setCodes] = useState<readonly string[]>()
  const [kept, setKept] = useState(false)
  const [problem, setProblem] = useState<string>()
  const onClose = () =>
    kept ? onEnd() : setProblem("Copy, download or print them first, then check this box. We can't show them again.")
  const step = codes && {
    title,
    onClose,
    body: <RecoveryCodes codes={codes} kept={kept} onKept={setKept} problem={problem} />,
    footer: (
      <Button tone="primary" aria-disabled={!kept} onClick={onClose}>
        Done
      </Button>
    ),
  }
  return { show: setCodes, step }
}
