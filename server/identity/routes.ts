import * as contract from '#contract/identity.ts'
import { completeSetup as completeSetupEndpoint } from '#contract/organizations.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import { installationSecret } from '../secret.ts'
import { confirmAddress, sendCode } from './confirm.ts'
import { confirmNewEmail, pendingEmailOf, sendNewAddressCode } from './emailChange.ts'
import { logIn } from './login.ts'
import { changePassword, requestReset, resetPassword } from './passwordReset.ts'
import { completeSetup, readUser, rename } from '../people/person.ts'
import { profileRoutes } from './profileRoutes.ts'
import { secondFactorRoutes } from './secondFactorRoutes.ts'
import { endSessions, sessionsOf } from '../people/sessions.ts'
import { shownOutbox } from '../mail/outbox.ts'
import { signUp } from './signUp.ts'

export function identityRoutes(deps: Dependencies): Route[] {
  const { system } = deps.databases
  const codeKey = installationSecret(deps.env, 'codes')
  return [
    handle(contract.humanChallenge, async (c) => ({ ...(await deps.human.challenge(c.now)) })),

    handle(contract.publicAddress, async () => ({ url: deps.env.publicUrl })),
    handle(contract.mailFolder, async (c) => ({ folder: shownOutbox(deps.env, c.request) })),

    handle(contract.signUp, async (c) => {
      c.setSession(await signUp(deps, codeKey, c.body, c))
      return {}
    }),
    handle(contract.login, async (c) => {
      c.setSession(
        await logIn(deps, { ...c.body, address: c.address, client: c.client, now: c.now, previous: c.caller }),
      )
      return { message: 'Login Successful' }
    }),
    handle(contract.logout, async (c) => {
      const { caller } = c
      if (caller) await asSystem(system, (tx) => endSessions(tx, caller.personId, { only: caller.sessionId }, c.now))
      c.clearSession()
      return {}
    }),

    handle(contract.confirmSignUp, async (c) => {
      const { passwordVoid } = await confirmAddress(deps, codeKey, { email: c.body.email }, c.body.code, c)
      return {
        message: passwordVoid
          ? 'Email verified. We emailed you a link to set your password.'
          : 'Email verified successfully',
      }
    }),
    handle(contract.verifyCode, async (c) => {
      if (await pendingEmailOf(deps, c.caller.personId)) await confirmNewEmail(deps, codeKey, c.caller, c.body.code, c)
      else await confirmAddress(deps, codeKey, { personId: c.caller.personId }, c.body.code, c)
      return { message: 'Email verified successfully' }
    }),
    handle(contract.resendCode, async (c) => {
      await sendCode(deps, codeKey, { email: c.body.email }, c)
      return { message: 'Email has been resent successfully' }
    }),
    handle(contract.getCode, async (c) => {
      if (await pendingEmailOf(deps, c.caller.personId)) await sendNewAddressCode(deps, codeKey, c.caller, c.now)
      else await sendCode(deps, codeKey, { personId: c.caller.personId }, c)
      return { message: 'Verification code sent successfully' }
    }),

    handle(contract.forgotPassword, async (c) => {
      await requestReset(deps, { ...c.body, address: c.address, now: c.now })
      return { message: 'A password reset link has been sent to your email' }
    }),
    handle(contract.confirmPassword, async (c) => {
      await resetPassword(deps, { ...c.body, address: c.address, now: c.now })
      c.clearSession()
      return { message: 'Your password has been reset successfully' }
    }),
    handleDetached(contract.changePassword, async (c) => {
      await changePassword(deps, c.caller, { ...c.body, now: c.now })
      return { message: 'Password updated successfully' }
    }),

    handle(contract.userDetails, (c) => asSystem(system, (tx) => readUser(tx, c.caller.personId))),
    handle(contract.updateProfile, async (c) => {
      await asSystem(system, (tx) => rename(tx, c.caller.personId, c.body))
      return { message: 'Profile updated successfully' }
    }),
    handle(completeSetupEndpoint, async (c) => {
      await asSystem(system, (tx) => completeSetup(tx, c.caller.personId))
      return {}
    }),

    handle(contract.listSessions, async (c) => {
      const sessions = await sessionsOf(deps, c.caller.personId)
      return {
        sessions: sessions.map((one) => ({
          sessionId: one.id,
          createdAt: one.created_at.toISOString(),
          lastSeenAt: one.last_seen_at.toISOString(),
          client: one.client,
          current: one.id === c.caller.sessionId,
        })),
      }
    }),
    handle(contract.endSession, async (c) => {
      const ended = await asSystem(system, (tx) =>
        endSessions(tx, c.caller.personId, { only: c.params.sessionId }, c.now),
      )
      if (ended === 0) throw fail('NOT_FOUND')
      if (c.params.sessionId === c.caller.sessionId) c.clearSession()
      return {}
    }),

    ...profileRoutes(deps, codeKey),
    ...secondFactorRoutes(deps),
  ]
}
