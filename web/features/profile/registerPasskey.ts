import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { z } from 'zod'
import type { PasskeyOptions, PasskeyResponse } from '#contract/secondFactor.ts'

/** Asks the browser for a new passkey. Returns what to send to the server, or why there is none. */
export async function registered(
  options: z.infer<typeof PasskeyOptions>,
): Promise<{ response: z.infer<typeof PasskeyResponse> } | { problem: string }> {
  const { startRegistration, WebAuthnError } = await import('@simplewebauthn/browser')
  try {
    // the server creates the options with the other half of this library
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    return { response: { ...(await startRegistration({ optionsJSON })) } }
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      return { problem: 'This device already has a passkey for your account.' }
    return { problem: "We couldn't create a passkey. Try again, or use another device." }
  }
}
