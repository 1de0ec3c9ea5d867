import * as contract from '#contract/secondFactor.ts'
import { asSystem } from '../db/system.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import { installationSecret } from '../secret.ts'
import { finishLogin } from './loginChallenge.ts'
import { deletePasskey, keepPasskey, logInByPasskey, newPasskeyOptions, passkeyLoginOptions } from './passkeys.ts'
import { beginTotp, confirmTotp, disableTotp, readSecurity, renewRecoveryCodes } from './secondFactor.ts'

export function secondFactorRoutes(deps: Dependencies): Route[] {
  const loginKey = installationSecret(deps.env, 'passkey logins')
  return [
    handle(contract.loginSecondFactor, async (c) => {
      c.setSession(
        await finishLogin(deps, { ...c.body, address: c.address, client: c.client, now: c.now, previous: c.caller }),
      )
      return { message: 'Login Successful' }
    }),
    handle(contract.passkeyLoginOptions, async (c) => passkeyLoginOptions(deps, loginKey, c.now)),
    handle(contract.passkeyLogin, async (c) => {
      c.setSession(
        await logInByPasskey(deps, loginKey, c.body.response, {
          address: c.address,
          client: c.client,
          now: c.now,
          previous: c.caller,
        }),
      )
      return { message: 'Login Successful' }
    }),

    handle(contract.mySecurity, (c) => asSystem(deps.databases.system, (tx) => readSecurity(tx, c.caller.personId))),
    handleDetached(contract.beginTotp, (c) => beginTotp(deps, c.caller, c.body.password, c.now)),
    handleDetached(contract.confirmTotp, async (c) => ({
      recoveryCodes: await confirmTotp(deps, c.caller, c.body.code, c.now),
    })),
    handleDetached(contract.disableTotp, async (c) => {
      await disableTotp(deps, c.caller, c.body.password, c.now)
      return {}
    }),
    handleDetached(contract.newRecoveryCodes, async (c) => ({
      recoveryCodes: await renewRecoveryCodes(deps, c.caller, c.body.password, c.now),
    })),

    handleDetached(contract.passkeyOptions, (c) => newPasskeyOptions(deps, c.caller.personId, c.body.password, c.now)),
    handleDetached(contract.addPasskey, async (c) => ({
      passkeyId: await keepPasskey(deps, c.caller, c.body, c.now),
    })),
    handle(contract.deletePasskey, async (c) => {
      await deletePasskey(deps, c.caller.personId, c.params.passkeyId)
      return {}
    }),
  ]
}
