/** The part of Cloudflare's script that is used here (developers.cloudflare.com/turnstile, explicit rendering). */
export type Turnstile = {
  render: (place: HTMLElement, options: TurnstileOptions) => string | null | undefined
  reset: (widget: string) => void
  remove: (widget: string) => void
}
type TurnstileOptions = {
  sitekey: string
  theme: 'auto' | 'light' | 'dark'
  size: 'flexible'
  'response-field': boolean
  callback: (token: string) => void
  'expired-callback': () => void
  /** Returning true keeps Cloudflare from throwing in the console by itself. */
  'error-callback': (code: string) => boolean
  'before-interactive-callback': () => void
  'after-interactive-callback': () => void
}

declare global {
  // set by Cloudflare's script
  var turnstile: Turnstile | undefined
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<Turnstile> | undefined

/** Loads Cloudflare's script, once; a failed load may be tried again. */
export function loadTurnstile(): Promise<Turnstile> {
  loading ??= new Promise<Turnstile>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.async = true
    script.addEventListener('load', () =>
      globalThis.turnstile
        ? resolve(globalThis.turnstile)
        : reject(new Error('The script of the human check held nothing')),
    )
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('The script of the human check could not be loaded'))
    })
    document.head.append(script)
  }).catch((cause: unknown) => {
    loading = undefined
    throw cause
  })
  return loading
}
