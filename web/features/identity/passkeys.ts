import { useEffect, useEffectEvent, useState } from 'react'
import { passkeyLogin, passkeyLoginOptions } from '#contract/secondFactor.ts'
import { isFailure } from '#web/lib/failure.ts'
import { useSend } from '#web/lib/queries.ts'

/** Shorter than a challenge lives on the server: an offer in the autofill list is renewed in time. Milliseconds. */
const OFFER_FOR = 4 * 60_000

/** Whether this browser knows passkeys here: it has them, and the page came over https or from localhost. */
export const knowsPasskeys = () => typeof window.PublicKeyCredential === 'function'

const loadLibrary = () => import('@simplewebauthn/browser')

/**
 * Login by passkey: `ask` opens the browser's dialog; in browsers that support it, passkeys are also in the autofill
 * list of the field with `autocomplete="username webauthn"`. `problem` is the message to show.
 */
export function usePasskeyLogin(onDone: () => void) {
  const [problem, setProblem] = useState<string>()
  const [dialog, setDialog] = useState(false)
  const options = useSend(passkeyLoginOptions, { handles: true })
  const finish = useSend(passkeyLogin, { handles: true })

  const logIn = async (autofill: boolean, wanted: () => boolean) => {
    const { startAuthentication } = await loadLibrary()
    const optionsJSON = await options.mutateAsync({})
    if (!wanted()) return
    // a ceremony ends the one before: the dialog the offer, a new offer the old one
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })
    await finish.mutateAsync({ body: { response: { ...response } } })
    onDone()
  }

  const ask = async () => {
    setProblem(undefined)
    setDialog(true)
    try {
      await logIn(false, () => true)
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setDialog(false)
  }

  const offer = useEffectEvent(async (wanted: () => boolean) => {
    try {
      if (await offersInAutofill()) await logIn(true, wanted)
    } catch (error) {
      // an unused offer that ends isn't a problem; a refused login is
      if (wanted() && isFailure(error, 'LOGIN_FAILED')) setProblem(wordsOf(error))
    }
  })
  useEffect(() => {
    if (dialog) return undefined
    let current = {}
    const begin = () => {
      const mine = {}
      current = mine
      void offer(() => current === mine)
    }
    begin()
    const renewal = setInterval(begin, OFFER_FOR)
    return () => {
      clearInterval(renewal)
      current = {}
    }
  }, [dialog])
  useEffect(() => cancelOffer, [])

  return { ask: () => void ask(), asking: dialog || finish.isPending, problem }
}

/** When leaving the page: a pending offer in the browser would block the next one. */
function cancelOffer(): void {
  if (knowsPasskeys()) void loadLibrary().then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony())
}

async function offersInAutofill(): Promise<boolean> {
  return (
    knowsPasskeys() &&
    typeof PublicKeyCredential.isConditionalMediationAvailable === 'function' &&
    (await PublicKeyCredential.isConditionalMediationAvailable())
  )
}

function wordsOf(error: unknown): string {
  if (isFailure(error, 'LOGIN_FAILED'))
    return "This passkey doesn't belong to a Rookery account. Log in with your password."
  if (isFailure(error)) return error.detail ?? error.title
  return "We couldn't log you in with a passkey. Try again, or log in with your password."
}
