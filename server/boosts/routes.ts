import * as contract from '#contract/boosts.ts'
import type { AskParts } from '../channels/ask.ts'
import { handle, handleDetached, type Route } from '../http/route.ts'
import { listAccounts, listAudiences, readBoosts } from './look.ts'
import { start } from './start.ts'
import { stop } from './stop.ts'

export const boostRoutes = (parts: AskParts): Route[] => [
  handle(contract.postBoosts, (c) => readBoosts(c, parts)),
  handleDetached(contract.boostAccounts, (c) => listAccounts(c, parts)),
  handleDetached(contract.boostAudiences, (c) => listAudiences(c, parts)),
  handleDetached(contract.startBoost, (c) => start(c, parts)),
  handle(contract.stopBoost, stop),
]
