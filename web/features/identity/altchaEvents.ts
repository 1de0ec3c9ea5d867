import type { AltchaWidgetElement } from 'altcha/external'
import { createArrival, type Check, type CheckProps } from './humanCheck.ts'

/** The answer with the puzzle is given up after this long. Milliseconds. */
const ANSWER_WITHIN = 15_000

/** What is used of the widget's element. Its methods exist only after its `load` event. */
export type Widget = EventTarget & Pick<AltchaWidgetElement, 'configure' | 'getState' | 'reset' | 'verify'>

type Parts = CheckProps & {
  loadCode: () => Promise<unknown>
  /** The code is there: the widget can be drawn. */
  onReady: () => void
}

type AltchaCheck = Check & {
  /** Loads the code, again after a failure. False when it didn't come; the reason is in the console. */
  load: () => Promise<boolean>
  /** The ref of the widget. */
  attach: (element: HTMLElement) => () => void
}

/** The widget's events as promises. */
export function createAltchaCheck({ loadCode, onReady, onTurn }: Parts): AltchaCheck {
  const widget = createArrival<Widget>()
  let payload: string | undefined
  let loading: Promise<boolean> | undefined
  let givenUp = new AbortController()

  const load = () =>
    (loading ??= loadCode().then(
      () => {
        onReady()
        return true
      },
      (cause: unknown) => {
        console.error('The human check could not be loaded', cause)
        loading = undefined
        return false
      },
    ))

  const solve = async (element: Widget) => {
    // the widget's events come later than its own answer
    if (isVerifying(element)) await settled(element)
    else payload = (await element.verify())?.payload
  }

  return {
    load,
    attach: (element) => {
      const onState = (event: Event) => {
        const detail: unknown = event instanceof CustomEvent ? event.detail : undefined
        payload = solutionIn(detail)
        if (payload) onTurn('solved')
        else if (stateIn(detail) === 'error') onTurn('failed')
      }
      const onLoad = () => {
        // the ref of an altcha-widget is one
        const loaded: Widget = element as AltchaWidgetElement
        void loaded.configure({
          fetch: (input, init) =>
            fetch(input, { ...init, signal: AbortSignal.any([AbortSignal.timeout(ANSWER_WITHIN), givenUp.signal]) }),
        })
        widget.set(loaded)
      }
      element.addEventListener('load', onLoad)
      element.addEventListener('statechange', onState)
      return () => {
        element.removeEventListener('load', onLoad)
        element.removeEventListener('statechange', onState)
        widget.set(null)
      }
    },
    prove: async () => {
      if (!(await load())) return undefined
      const element = await widget.present()
      if (!payload) await solve(element)
      // broken off by something else, such as a page that comes back: that is no failure
      if (!payload && stateOf(element) === 'unverified') await solve(element)
      return payload
    },
    reset: () => {
      if (!payload) return
      payload = undefined
      widget.now()?.reset()
    },
    giveUp: () => {
      payload = undefined
      // an answer that failed later would end the attempt that is under way by then
      givenUp.abort()
      givenUp = new AbortController()
      widget.now()?.reset()
    },
  }
}

function settled(element: Widget): Promise<void> {
  return new Promise((resolve) => {
    const onState = () => {
      if (isVerifying(element)) return
      element.removeEventListener('statechange', onState)
      resolve()
    }
    element.addEventListener('statechange', onState)
  })
}

const isVerifying = (element: Widget): boolean => stateOf(element) === 'verifying'

function stateOf(element: Widget): string {
  return element.getState()
}

function stateIn(detail: unknown): unknown {
  return typeof detail === 'object' && detail !== null && 'state' in detail ? detail.state : undefined
}

/** The solution, if the state has one. */
function solutionIn(detail: unknown): string | undefined {
  if (typeof detail !== 'object' || detail === null || !('state' in detail) || !('payload' in detail)) return undefined
  return detail.state === 'verified' && typeof detail.payload === 'string' ? detail.payload : undefined
}
