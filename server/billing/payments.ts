import { PRICE_LIST } from '#contract/priceList.ts'
import type { Parts } from '../parts.ts'
import { localPayments } from './local.ts'
import { noPayments, type Payments } from './provider.ts'

/** Who takes the money here: Paddle when its keys are set, else test payments where nobody else can reach them or they are wanted. */
export function composePayments({ env }: Pick<Parts, 'env'>): Payments {
  if (env.PAYMENTS === 'local' || (env.PAYMENTS === undefined && isOnLoopback(env))) return localPayments(PRICE_LIST)
  return noPayments(PRICE_LIST)
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/
/** Listening on this machine only, under an address of this machine: a proxy in front would have set PUBLIC_URL. */
const isOnLoopback = ({ HOST, publicUrl }: Parts['env']): boolean => loopback.test(HOST) && loopback.test(new URL(publicUrl).hostname)
