import Copy from 'lucide-react/icons/copy'
import Download from 'lucide-react/icons/download'
import Printer from 'lucide-react/icons/printer'
import { useEffect } from 'react'
import { saveFile } from '#web/lib/saveFile.ts'
import { PRODUCT } from '#web/ui/Page.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { copy } from '#web/ui/copy.ts'
import './recoveryCodes.css'

type Props = {
  codes: readonly string[]
  kept: boolean
  onKept: (kept: boolean) => void
  /** What the person tried to do before saving them. */ problem?: string | undefined
}

/** Recovery codes, shown once: to copy, download or print. Leaving the page before that asks first. */
export function RecoveryCodes({ codes, kept, onKept, problem }: Props) {
  useEffect(() => {
    if (kept) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [kept])
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-ink-muted print:hidden">
        Each code lets you log in once if you don't have your phone. We won't show them again, so save them somewhere
        safe.
      </p>
      <div className="print-alone">
        <p className="hidden text-lg font-bold print:block">{PRODUCT} recovery codes, each works once</p>
        <ol
          aria-label="Recovery codes"
          className="tnum grid grid-cols-2 gap-x-4 gap-y-1.5 rounded-md border border-line bg-sunken p-4 font-mono max-sm:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code} className="select-all">
              {code}
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Copy size={14} aria-hidden />}
          onClick={() => void copy(codes.join('\n'), 'Recovery codes copied')}
        >
          Copy
        </Button>
        <Button icon={<Download size={14} aria-hidden />} onClick={() => save(codes)}>
          Download
        </Button>
        <Button icon={<Printer size={14} aria-hidden />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <div>
        <Checkbox
          label="I've saved my recovery codes"
          checked={kept}
          onChange={(event) => onKept(event.target.checked)}
          aria-describedby={problem ? 'kept-problem' : undefined}
        />
        <p id="kept-problem" role="status" className="text-sm text-bad">
          {problem && !kept ? <span className="mt-1.5 block">{problem}</span> : null}
        </p>
      </div>
    </div>
  )
}

const save = (codes: readonly string[]): void =>
  saveFile(
    'rookery-recovery-codes.txt',
    `${PRODUCT} recovery codes, each works once\n\n${codes.join('\n')}\n`,
    'text/plain',
  )
