import { PRICE_LIST } from '#contract/priceList.ts'
import type { Dependencies } from '../dependencies.ts'
import { isOnLoopback } from '../env.ts'
import { localPayments, type Terms } from './local.ts'
import { paddlePayments } from './paddle.ts'
import { noPayments, type Payments } from './provider.ts'

/**
 * Who takes the money here: Paddle if its keys are set, otherwise test payments if nobody else can reach them or
 * they're turned on.
 */
export function composePayments({ env, clock }: Pick<Dependencies, 'env' | 'clock'>): Payments {
  const { PADDLE_API_KEY: apiKey, PADDLE_WEBHOOK_SECRET: webhookSecret, PADDLE_CLIENT_TOKEN: clientToken } = env
  if (apiKey && webhookSecret && clientToken)
    return paddlePayments(
      {
        apiKey,
        webhookSecret,
        clientToken,
        environment: env.PADDLE_ENVIRONMENT,
        api: env.PADDLE_API,
        prices: env.PADDLE_PRICES,
      },
      PRICE_LIST,
      () => clock.monotonic(),
    )
  if (env.PAYMENTS === 'local' || (env.PAYMENTS === undefined && isOnLoopback(env))) return localPayments(termsOf(env))
  return noPayments(PRICE_LIST)
}

/** The price list and the seller of this installation. */
export const termsOf = ({ INVOICE_SELLER }: Pick<Dependencies['env'], 'INVOICE_SELLER'>): Terms => ({
  prices: PRICE_LIST,
  seller: { lines: INVOICE_SELLER.length > 0 ? INVOICE_SELLER : ['Rookery'] },
})
