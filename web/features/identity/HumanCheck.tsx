import { useQueryClient } from '@tanstack/react-query'
import { useImperativeHandle, useState, type Ref } from 'react'
import { humanChallenge } from '#contract/identity.ts'
import { keyOf, useCall } from '#web/lib/queries.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { AltchaCheck } from './AltchaCheck.tsx'
import { createArrival, patiently, TurnstileSetup, type Check, type HumanCheckHandle } from './humanCheck.ts'
import { TurnstileCheck } from './TurnstileCheck.tsx'

export type { HumanCheckHandle } from './humanCheck.ts'

/** After this long, people read that it continues. Milliseconds. */
const SLOW = 6_000
/**
 * After this long it's given up, and people read what to do. Milliseconds; a slow phone solves the puzzle in a third of
 * it.
 */
const LIMIT = 60_000

const words = {
  slow: 'The human check is taking longer than usual. It continues automatically.',
  failed: "The human check failed, so we couldn't submit the form. Try again, or reload the page.",
} as const

/**
 * This installation's human check. If it fails, nothing is sent and people read what to do. A form may be submitted
 * before the check is on screen: `prove` waits for it, and every wait ends.
 */
export function HumanCheck({ ref }: { ref: Ref<HumanCheckHandle> }) {
  const queries = useQueryClient()
  const [{ set: attach, now, present }] = useState(() => createArrival<Check>())
  const [said, setSaid] = useState<keyof typeof words>()
  const setup = useCall(humanChallenge, {}, { staleTime: Infinity, handles: true })
  const turnstile = TurnstileSetup.safeParse(setup.data).data
  const onTurn = (turn: 'solved' | 'failed') => setSaid(turn === 'failed' ? 'failed' : undefined)

  /** A hanging check would hang the next attempt as well. */
  const startOver = async () => {
    const shown = now()
    if (shown) return shown.giveUp()
    await queries.cancelQueries({ queryKey: keyOf(humanChallenge) })
    await setup.refetch()
  }

  useImperativeHandle(ref, () => ({
    prove: async () => {
      setSaid(undefined)
      const proof = present().then(async (shown) => ({ token: await shown.prove(), late: false }))
      const { token, late } = await patiently(
        proof,
        { token: undefined, late: true },
        { slow: SLOW, onSlow: () => setSaid('slow'), limit: LIMIT },
      )
      setSaid(token ? undefined : 'failed')
      if (token) return token
      console.error(late ? 'The human check did not answer in time' : 'The human check did not succeed')
      if (late) void startOver()
      return undefined
    },
    reset: () => now()?.reset(),
  }))

  return (
    <div>
      {setup.isPending ? (
        <Skeletons
          label="Loading the human check"
          className="flex h-11 items-center rounded-md border border-line px-3"
        >
          <Skeleton className="size-4.5" />
        </Skeletons>
      ) : turnstile ? (
        <TurnstileCheck ref={attach} siteKey={turnstile.siteKey} onTurn={onTurn} />
      ) : (
        <AltchaCheck ref={attach} onTurn={onTurn} />
      )}
      {/* there before it has something to say, so that it's announced */}
      <p role="status" className="text-sm text-pretty text-bad">
        {said ? (
          <span className={said === 'slow' ? 'mt-1.5 block text-ink-muted' : 'mt-1.5 block'}>{words[said]}</span>
        ) : null}
      </p>
    </div>
  )
}
