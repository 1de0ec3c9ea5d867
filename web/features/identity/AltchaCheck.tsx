/// <reference types="altcha/types/react" />
import { useEffect, useImperativeHandle, useState, type Ref } from 'react'
import { humanChallenge } from '#contract/identity.ts'
import { addressOf } from '#web/lib/client.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import { createAltchaCheck } from './altchaEvents.ts'
import './humanCheck.css'
import type { Check, CheckProps } from './humanCheck.ts'

const configuration = JSON.stringify({
  hideLogo: true,
  hideFooter: true,
  humanInteractionSignature: false,
  minDuration: 0,
})

/**
 * ALTCHA: a puzzle that the browser solves. Its code loads with it, and it starts when the form around it gets the
 * focus.
 */
export function AltchaCheck({ ref, onTurn }: CheckProps & { ref: Ref<Check> }) {
  const [ready, setReady] = useState(false)
  const [{ attach, load, prove, reset, giveUp }] = useState(() =>
    createAltchaCheck({ loadCode: () => import('./altcha.ts'), onReady: () => setReady(true), onTurn }),
  )
  useEffect(() => void load(), [load])
  useImperativeHandle(ref, () => ({ prove, reset, giveUp }), [prove, reset, giveUp])

  if (!ready) {
    return (
      <Skeletons label="Loading the human check" className="flex h-11 items-center rounded-md border border-line px-3">
        <Skeleton className="size-4.5" />
      </Skeletons>
    )
  }
  return (
    <altcha-widget
      ref={attach}
      auto="onfocus"
      challenge={addressOf(humanChallenge)}
      configuration={configuration}
      className="human-check"
    />
  )
}
