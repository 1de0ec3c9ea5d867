import { useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { Check, CheckProps } from './humanCheck.ts'
import { loadTurnstile, type Turnstile } from './turnstile.ts'

/** Cloudflare's check. Its script only loads if the installation is set up for it. */
export function TurnstileCheck({ ref, siteKey, onTurn }: CheckProps & { ref: Ref<Check>; siteKey: string }) {
  const place = useRef<HTMLDivElement>(null)
  const [{ show, prove, reset, giveUp }] = useState(() => createTurnstileCheck(onTurn))
  useEffect(() => (place.current ? show(place.current, siteKey) : undefined), [show, siteKey])
  useImperativeHandle(ref, () => ({ prove, reset, giveUp }), [prove, reset, giveUp])
  return <div ref={place} className="min-h-16.5" />
}

type State =
  | { kind: 'working' }
  | { kind: 'solved'; token: string }
  | { kind: 'asks' }
  | { kind: 'failed'; cause: unknown }

/** The widget's callbacks as one promise. */
function createTurnstileCheck(onTurn: CheckProps['onTurn']) {
  let state: State = { kind: 'working' }
  let widget: { turnstile: Turnstile; id: string } | undefined
  let waiting: (() => void)[] = []
  const turn = (next: State) => {
    state = next
    if (next.kind === 'failed') {
      console.error('The human check failed', next.cause)
      onTurn('failed')
    }
    if (next.kind === 'solved') onTurn('solved')
    if (next.kind === 'working') return
    for (const tell of waiting.splice(0)) tell()
  }
  const again = () => {
    if (!widget) return
    state = { kind: 'working' }
    widget.turnstile.reset(widget.id)
  }

  const draw = (turnstile: Turnstile, place: HTMLElement, siteKey: string) => {
    const id = turnstile.render(place, {
      sitekey: siteKey,
      theme: 'auto',
      size: 'flexible',
      'response-field': false,
      callback: (token) => turn({ kind: 'solved', token }),
      'expired-callback': () => turn({ kind: 'working' }),
      'error-callback': (cause) => {
        turn({ kind: 'failed', cause })
        return true
      },
      'before-interactive-callback': () => turn({ kind: 'asks' }),
      'after-interactive-callback': () => turn({ kind: 'working' }),
    })
    if (id) widget = { turnstile, id }
    else turn({ kind: 'failed', cause: new Error('The widget was not drawn') })
  }

  return {
    /** Renders the widget; returns how to remove it. */
    show: (place: HTMLElement, siteKey: string) => {
      let gone = false
      loadTurnstile()
        .then((turnstile) => (gone ? undefined : draw(turnstile, place, siteKey)))
        .catch((cause: unknown) => turn({ kind: 'failed', cause }))
      return () => {
        gone = true
        widget?.turnstile.remove(widget.id)
        widget = undefined
      }
    },
    /** Waits while the widget works on its own. One that waits for the person returns undefined: they see it. */
    prove: async (): Promise<string | undefined> => {
      if (state.kind === 'failed') again()
      if (state.kind === 'working') await new Promise<void>((resolve) => waiting.push(resolve))
      return state.kind === 'solved' ? state.token : undefined
    },
    reset: () => {
      if (state.kind === 'solved') again()
    },
    giveUp: again,
  }
}
