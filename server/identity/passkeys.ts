import { randomUUIDv7 } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { limits } from './limits.ts'
import { assertWithinLimit, count, networkOf } from '../http/attempts.ts'
import { securityMail } from './mails.ts'
import { withOwnPassword } from './ownPassword.ts'
import {
  CHALLENGE_MS,
  keepChallenge,
  loginChallenge,
  loginChallengeIn,
  takeChallenge,
  useLoginChallenge,
} from './passkeyChallenges.ts'
import { isOpen, markSecondFactor, openSessionInstead, unmarkWithoutFactors, type Browser } from '../people/sessions.ts'

/*
 * Passkeys (WebAuthn, level 3): discoverable, with user verification, so that one counts as both factors. They belong
 * to the host of PUBLIC_URL and only work from its origin. The library verifies the browser's whole response; people
 * get the same message whatever is wrong with it.
 */

const MOST = 20

/** Ed25519, P-256, RSA: every authenticator supports at least one of them (COSE's numbers). */
const ALGORITHMS = [-8, -7, -257]

/** The library and its certificate parsers take 28 MB, so they load with the first passkey. */
const webauthn = () => import('@simplewebauthn/server')

const siteOf = ({ publicUrl }: Pick<Env, 'publicUrl'>) => ({
  id: new URL(publicUrl).hostname,
  origin: new URL(publicUrl).origin,
})

/** The passkeys of a person, oldest first. In a system transaction. */
export async function passkeysOf(tx: Tx, personId: string) {
  const rows = await tx
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    passkeyId: row.id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }))
}

/**
 * The browser's options for creating a passkey. Throws PASSWORD_WRONG, RATE_LIMITED; LIMIT_EXCEEDED for people who have
 * 20.
 */
export async function newPasskeyOptions(deps: Dependencies, personId: string, password: string, now: Date) {
  const person = await withOwnPassword(deps, personId, password, now)
  const { name, known } = await asSystem(deps.databases.system, async (tx) => ({
    name: await tx
      .selectFrom('person')
      .select(['first_name', 'last_name'])
      .where('id', '=', personId)
      .executeTakeFirstOrThrow(),
    known: await tx
      .selectFrom('passkey')
      .select(['credential_id', 'transports'])
      .where('person_id', '=', personId)
      .execute(),
  }))
  if (known.length >= MOST) throw fail('LIMIT_EXCEEDED', { detail: `You have ${MOST} passkeys. Remove one first.` })
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: 'Rookery',
    rpID: siteOf(deps.env).id,
    userName: person.email,
    userID: new TextEncoder().encode(personId),
    userDisplayName: `${name.first_name} ${name.last_name}`.trim() || person.email,
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: known.map((one) => ({
      id: one.credential_id.toString('base64url'),
      transports: one.transports,
    })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(deps.databases, options.challenge, personId, now)
  return { ...options }
}

/** Stores the passkey that the browser created with the options above, and returns its id. Throws INVALID_CODE. */
export async function keepPasskey(
  deps: Dependencies,
  caller: { personId: string; sessionId: string },
  { name, response }: { name: string; response: unknown },
  now: Date,
): Promise<string> {
  const { personId } = caller
  const challenge = await takeChallenge(deps.databases, response, personId, now)
  if (challenge === undefined) throw notKept()
  const site = siteOf(deps.env)
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    // the library parses it, and throws if it isn't such a response
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) throw notKept()
  const { credential } = registrationInfo
  const row = {
    id: randomUUIDv7(),
    person_id: personId,
    credential_id: Buffer.from(credential.id, 'base64url'),
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: transportsOf(credential.transports),
    name,
    created_at: now,
    last_used_at: null,
  }
  const person = await asSystem(deps.databases.system, async (tx) => {
    const owner = await tx
      .selectFrom('person')
      .select(['email', 'first_name'])
      .where('id', '=', personId)
      .forShare()
      .executeTakeFirst()
    if (!(await isOpen(tx, caller))) throw fail('UNAUTHORIZED')
    const kept = await tx
      .insertInto('passkey')
      .values(row)
      .onConflict((c) => c.column('credential_id').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (kept) await markSecondFactor(tx, caller.sessionId)
    return kept && owner
  })
  if (!person) throw notKept()
  deps.mailer.post(
    securityMail(
      person.email,
      person.first_name,
      `A passkey was added to your account: "${name}".`,
      deps.env.publicUrl,
    ),
  )
  return row.id
}

const notKept = () => fail('INVALID_CODE', { detail: "We couldn't save this passkey. Start again." })
/** Hints for the browser, in its own names; we don't rely on them. */
const transportsOf = (named: readonly string[] | undefined) =>
  (named ?? []).filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 10)

/** Removes one of the caller's passkeys. Throws NOT_FOUND. */
export async function deletePasskey(deps: Dependencies, personId: string, passkeyId: string): Promise<void> {
  const gone = await asSystem(deps.databases.system, async (tx) => {
    // someone turning the app off at this moment has to see that the passkey is gone, and the other way round
    await tx.selectFrom('person').select('id').where('id', '=', personId).forUpdate().execute()
    const removed = await tx
      .deleteFrom('passkey')
      .where('id', '=', passkeyId)
      .where('person_id', '=', personId)
      .returning('name')
      .executeTakeFirst()
    if (removed) await unmarkWithoutFactors(tx, personId)
    return (
      removed && {
        name: removed.name,
        person: await tx
          .selectFrom('person')
          .select(['email', 'first_name'])
          .where('id', '=', personId)
          .executeTakeFirstOrThrow(),
      }
    )
  })
  if (!gone) throw fail('NOT_FOUND')
  deps.mailer.post(
    securityMail(
      gone.person.email,
      gone.person.first_name,
      `A passkey was removed from your account: "${gone.name}".`,
      deps.env.publicUrl,
    ),
  )
}

/** The browser's options for a login with a passkey: a challenge that names no one, so it reveals no one who has one. */
export function passkeyLoginOptions({ env }: Pick<Dependencies, 'env'>, key: string, now: Date) {
  // PublicKeyCredentialRequestOptionsJSON; written here, because every login page requests it and few people have a
  // passkey
  return {
    challenge: loginChallenge(key, now),
    rpId: siteOf(env).id,
    userVerification: 'required',
    timeout: CHALLENGE_MS,
    allowCredentials: [],
  }
}

/**
 * Opens a session with a passkey, which counts as both factors; returns its token. The browser's earlier session ends.
 * A counter that didn't increase is refused, because it means a copied key. Throws LOGIN_FAILED, RATE_LIMITED.
 */
export async function logInByPasskey(
  deps: Dependencies,
  key: string,
  response: unknown,
  browser: Browser,
): Promise<string> {
  const { address, now } = browser
  const challenge = loginChallengeIn(key, response, now)
  const named = Named.safeParse(response)
  const refuse = async () => {
    assertWithinLimit(await asSystem(deps.databases.system, (tx) => count(tx, limits.guesses, networkOf(address), now)))
    return notLoggedIn()
  }
  if (challenge === undefined || !named.success) throw await refuse()
  const credentialId = Buffer.from(named.data.id, 'base64url')
  const opened = await asSystem(deps.databases.system, async (tx) => {
    const known = await tx
      .selectFrom('passkey')
      .selectAll()
      .where('credential_id', '=', credentialId)
      .forUpdate()
      .executeTakeFirst()
    // a discoverable credential says whose it is
    if (!known || Buffer.from(named.data.response.userHandle, 'base64url').toString() !== known.person_id)
      return undefined
    const counter = await counterAfter(deps, challenge, response, known)
    if (counter === undefined || !(await useLoginChallenge(tx, challenge, now))) return undefined
    await tx.updateTable('passkey').set({ counter, last_used_at: now }).where('id', '=', known.id).execute()
    return { personId: known.person_id, token: await openSessionInstead(tx, known.person_id, browser, true) }
  })
  const event = opened ? 'login.succeeded' : 'login.failed'
  deps.security.record({ event, address, personId: opened?.personId ?? null })
  if (opened === undefined) throw await refuse()
  return opened.token
}

const notLoggedIn = () => fail('LOGIN_FAILED', { detail: "This passkey doesn't belong to a Rookery account." })

/** The passkey's counter after a fully valid response; otherwise undefined. */
async function counterAfter(
  deps: Dependencies,
  challenge: string,
  response: unknown,
  known: { credential_id: Buffer; public_key: Buffer; counter: number },
): Promise<number | undefined> {
  const site = siteOf(deps.env)
  const { verifyAuthenticationResponse } = await webauthn()
  const verified = await verifyAuthenticationResponse({
    // the library parses it, and throws if it isn't such a response
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: known.credential_id.toString('base64url'),
      publicKey: new Uint8Array(known.public_key),
      counter: known.counter,
    },
  }).catch(() => undefined)
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined
}

const Named = z.object({ id: z.string(), response: z.object({ userHandle: z.string().min(1).max(100) }) })
