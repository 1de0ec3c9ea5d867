import { useImperativeHandle, useRef, useState, type Ref } from 'react'
import { humanChallenge } from '#contract/identity.ts'
import { useCall } from '#web/lib/queries.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { AltchaCheck } from './AltchaCheck.tsx'
import { TurnstileSetup, type HumanCheckHandle } from './humanCheck.ts'
import { TurnstileCheck } from './TurnstileCheck.tsx'

export type { HumanCheckHandle } from './humanCheck.ts'

/** The human check that this installation is set up for. When it fails, nothing is sent and the person reads what to do. */
export function HumanCheck({ ref }: { ref: Ref<HumanCheckHandle> }) {
  const check = useRef<HumanCheckHandle>(null)
  const [failed, setFailed] = useState(false)
  const setup = useCall(humanChallenge, {}, { staleTime: Infinity, handles: true })
  const turnstile = TurnstileSetup.safeParse(setup.data).data

  useImperativeHandle(ref, () => ({
    prove: async () => {
      setFailed(false)
      const token = await check.current?.prove()
      if (!token) console.error('The human check did not succeed')
      setFailed(!token)
      return token
    },
    reset: () => check.current?.reset(),
  }))

  return (
    <div>
      {setup.isPending ? (
        <Skeletons label="Loading the human check" className="flex h-12 items-center rounded-md border border-line px-3">
          <Skeleton className="size-4.5" />
        </Skeletons>
      ) : turnstile ? (
        <TurnstileCheck ref={check} siteKey={turnstile.siteKey} onFailure={() => setFailed(true)} />
      ) : (
        <AltchaCheck ref={check} onFailure={() => setFailed(true)} />
      )}
      {/* there before it has something to say, so that it is read aloud */}
      <p role="status" className="text-sm text-pretty text-bad">
        {failed ? <span className="mt-1.5 block">The human check did not succeed, so nothing can be sent. Try it again, or reload the page.</span> : null}
      </p>
    </div>
  )
}
