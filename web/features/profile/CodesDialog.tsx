import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

/** Shows new recovery codes and closes only once they were kept. */
export function CodesDialog({ codes, title, onEnd }: { codes: readonly string[]; title: string; onEnd: () => void }) {
  const [kept, setKept] = useState(false)
  const [problem, setProblem] = useState<string>()
  const end = () => (kept ? onEnd() : setProblem('Copy, download or print them first, then tick this box. They cannot be shown again.'))
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : end())}
      title={title}
      footer={
        <Button tone="primary" aria-disabled={!kept} onClick={end}>
          Done
        </Button>
      }
    >
      <RecoveryCodes codes={codes} kept={kept} onKept={setKept} problem={problem} />
    </Dialog>
  )
}
