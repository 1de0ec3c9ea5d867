import { createHmac } from 'node:crypto'

/** What an operator enters beside the address at a platform that asks for a word of ours. It follows from the app's secret. */
export const verifyTokenOf = (clientSecret: string): string =>
  createHmac('sha256', clientSecret).update('rookery inbox').digest('hex').slice(0, 32)
