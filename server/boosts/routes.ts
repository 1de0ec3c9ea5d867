import * as contract from '#contract/boosts.ts'
import type { AskDeps } from '../delivery/ask.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import { listAccounts, listAudiences, readBoosts } from './look.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'

export const boostRoutes = (deps: AskDeps): Route[] => [
  handle(contract.postBoosts, (c) => readBoosts(c, deps)),
  handleDetached(contract.boostAccounts, (c) => listAccounts(c, deps)),
  handleDetached(contract.boostAudiences, (c) => listAudiences(c, deps)),
  handleDetached(contract.startBoost, (c) => start(c, deps)),
  handle(contract.stopBoost, stop),
]
