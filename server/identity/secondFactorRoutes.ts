import * as contract from '#contract/secondFactor.ts'
import { asSystem } from '../db/system.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import type { Parts } from '../parts.ts'
import { finishLogin } from './loginChallenge.ts'
import { deletePasskey, keepPasskey, logInByPasskey, newPasskeyOptions, passkeyLoginOptions } from './passkeys.ts'
import { beginTotp, confirmTotp, disableTotp, readSecurity, renewRecoveryCodes } from './secondFactor.ts'

export function secondFactorRoutes(parts: Parts): Route[] {
  return [
    handle(contract.loginSecondFactor, async (c) => {
      c.setSession(
        await finishLogin(parts, { ...c.body, address: c.address, client: c.client, now: c.now, previous: c.caller }),
      )
      return { message: 'Login Successful' }
    }),
    handle(contract.passkeyLoginOptions, (c) => passkeyLoginOptions(parts, c)),
    handle(contract.passkeyLogin, async (c) => {
      c.setSession(
        await logInByPasskey(parts, c.body.response, {
          address: c.address,
          client: c.client,
          now: c.now,
          previous: c.caller,
        }),
      )
      return { message: 'Login Successful' }
    }),

    handle(contract.mySecurity, (c) => asSystem(parts.databases.system, (tx) => readSecurity(tx, c.caller.personId))),
    handleDetached(contract.beginTotp, (c) => beginTotp(parts, c.caller, c.body.password, c.now)),
    handleDetached(contract.confirmTotp, async (c) => ({
      recoveryCodes: await confirmTotp(parts, c.caller, c.body.code, c.now),
    })),
    handleDetached(contract.disableTotp, async (c) => {
      await disableTotp(parts, c.caller, c.body.password, c.now)
      return {}
    }),
    handleDetached(contract.newRecoveryCodes, async (c) => ({
      recoveryCodes: await renewRecoveryCodes(parts, c.caller, c.body.password, c.now),
    })),

    handleDetached(contract.passkeyOptions, (c) => newPasskeyOptions(parts, c.caller.personId, c.body.password, c.now)),
    handleDetached(contract.addPasskey, async (c) => ({
      passkeyId: await keepPasskey(parts, c.caller, c.body, c.now),
    })),
    handle(contract.deletePasskey, async (c) => {
      await deletePasskey(parts, c.caller.personId, c.params.passkeyId)
      return {}
    }),
  ]
}
