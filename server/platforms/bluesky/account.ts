import { because } from '#contract/failures/catalog.ts'
import { z } from 'zod'
import type { Account, Reach, Refusal } from '../platform.ts'
import { Profile, type BlueskySecret } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { xrpc } from './xrpc.ts'

const PROFILE_TIMEOUT_MS = 8_000

/** What Bluesky shows for an account whose handle can't be verified. */
const NO_HANDLE = 'handle.invalid'

/** Whether this is a domain name as atproto.com/specs/handle requires. */
const isHandle = (text: string): boolean =>
  text.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)

/** Whether a handle can be mentioned. Accounts whose handle can't be verified are shown under one that nobody has. */
export const isNamed = (handle: string): boolean => isHandle(handle) && handle !== NO_HANDLE

/** The account's profile; undefined if its server doesn't provide one, such as a server without an app view. */
export async function profileOf(
  reach: Reach,
  secret: BlueskySecret,
  did: string,
): Promise<z.infer<typeof Profile> | undefined> {
  const profile = await xrpc(reach, {
    service: secret.pds,
    nsid: 'app.bsky.actor.getProfile',
    params: { actor: did },
    as: tokenOf(secret),
    reply: Profile,
    timeoutMs: PROFILE_TIMEOUT_MS,
  })
  return profile.kind === 'ok' ? profile.value : undefined
}

/** The name and picture to show. A server without an app view has neither, so the handle is used. */
export async function accountOf(
  reach: Reach,
  { did, handle }: { did: string; handle: string },
  secret: BlueskySecret,
  service: string,
  typed: string,
): Promise<Account> {
  const { displayName = '', avatar = null } = (await profileOf(reach, secret, did)) ?? {}
  // a server can claim any handle, even a sentence with a link, which would then appear in emails to colleagues
  const known = [handle, typed.replace(/^@/, '')].find(isNamed) ?? NO_HANDLE
  return { remoteId: did, name: displayName.trim() || known, handle: `@${known}`, pictureUrl: avatar, service }
}

/** For an account that its server knows but has deactivated. */
export function inactive(status = 'inactive'): Refusal {
  return {
    kind: 'rejected',
    reason:
      status === 'deactivated'
        ? { ...because('bluesky-account-deactivated'), platformCode: 'AccountDeactivated' }
        : { ...because('bluesky-account-inactive', { status }), platformCode: 'AccountTakedown' },
  }
}

const Claims = z.object({ exp: z.number().optional(), iat: z.number().optional(), scope: z.string().optional() })

/** A token's claims. The signature isn't checked because the token comes straight from the server. */
export function claimsOf(token: string): z.infer<typeof Claims> | undefined {
  try {
    return Claims.parse(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()))
  } catch {
    // other servers may use opaque tokens
    return undefined
  }
}

/** When the token expires; null if it doesn't say so. */
export function expiryOf(token: string): Date | null {
  const exp = claimsOf(token)?.exp
  return exp === undefined ? null : new Date(exp * 1000)
}

/** When the token was issued, in seconds since 1970; null if it doesn't say so. */
export const issuedOf = (token: string): number | null => claimsOf(token)?.iat ?? null
