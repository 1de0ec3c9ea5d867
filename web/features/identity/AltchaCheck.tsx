/// <reference types="altcha/types/react" />
import type { AltchaWidgetElement } from 'altcha/external'
import { useEffect, useImperativeHandle, useState, type Ref } from 'react'
import { humanChallenge } from '#contract/identity.ts'
import { addressOf } from '#web/lib/client.ts'
import { Skeleton, Skeletons } from '#web/ui/Skeleton.tsx'
import './humanCheck.css'
import type { HumanCheckHandle } from './humanCheck.ts'

const configuration = JSON.stringify({ hideLogo: true, hideFooter: true, humanInteractionSignature: false, minDuration: 0 })

/** ALTCHA: a puzzle that the browser solves. Its code is loaded with it, and it begins by itself when the form around it takes the focus. */
export function AltchaCheck({ ref, onFailure }: { ref: Ref<HumanCheckHandle>; onFailure: () => void }) {
  const [ready, setReady] = useState(false)
  const [{ attach, prove, reset, failed }] = useState(() => createCheck(onFailure))

  useEffect(() => {
    let gone = false
    import('./altcha.ts').then(
      () => gone || setReady(true),
      (cause: unknown) => failed(cause),
    )
    return () => {
      gone = true
    }
  }, [failed])
  useImperativeHandle(ref, () => ({ prove, reset }), [prove, reset])

  if (!ready) {
    return (
      <Skeletons label="Loading the human check" className="flex h-12 items-center rounded-md border border-line px-3">
        <Skeleton className="size-4.5" />
      </Skeletons>
    )
  }
  return <altcha-widget ref={attach} auto="onfocus" challenge={addressOf(humanChallenge)} configuration={configuration} className="human-check" />
}

/** The widget's events as one promise. Its methods exist only after its `load` event. */
function createCheck(onFailure: () => void) {
  let payload: string | undefined
  let arrive: (widget: AltchaWidgetElement) => void
  let fail: (cause: unknown) => void
  const widget = new Promise<AltchaWidgetElement>((resolve, reject) => {
    arrive = resolve
    fail = reject
  })
  widget.catch((cause: unknown) => console.error('The human check could not be loaded', cause))

  return {
    failed: (cause: unknown) => fail(cause),
    attach: (element: HTMLElement) => {
      const onState = (event: Event) => {
        payload = event instanceof CustomEvent ? solutionIn(event.detail) : undefined
        if (event instanceof CustomEvent && stateIn(event.detail) === 'error') onFailure()
      }
      // the ref of an altcha-widget is one
      const onLoad = () => arrive(element as AltchaWidgetElement)
      element.addEventListener('load', onLoad)
      element.addEventListener('statechange', onState)
      return () => {
        element.removeEventListener('load', onLoad)
        element.removeEventListener('statechange', onState)
      }
    },
    prove: async (): Promise<string | undefined> => {
      let element: AltchaWidgetElement
      try {
        element = await widget
      } catch {
        return undefined // logged above
      }
      if (payload) return payload
      // the widget's events come later than its own answer
      if (isVerifying(element)) await settled(element)
      else payload = (await element.verify())?.payload
      return payload
    },
    reset: () => {
      if (!payload) return
      payload = undefined
      void widget.then((element) => element.reset())
    },
  }
}

function settled(element: AltchaWidgetElement): Promise<void> {
  return new Promise((resolve) => {
    const onState = () => {
      if (isVerifying(element)) return
      element.removeEventListener('statechange', onState)
      resolve()
    }
    element.addEventListener('statechange', onState)
  })
}

function isVerifying(element: AltchaWidgetElement): boolean {
  const state: string = element.getState()
  return state === 'verifying'
}

function stateIn(detail: unknown): unknown {
  return typeof detail === 'object' && detail !== null && 'state' in detail ? detail.state : undefined
}

/** What a state change tells: the solution while there is one. */
function solutionIn(detail: unknown): string | undefined {
  if (typeof detail !== 'object' || detail === null || !('state' in detail) || !('payload' in detail)) return undefined
  return detail.state === 'verified' && typeof detail.payload === 'string' ? detail.payload : undefined
}
