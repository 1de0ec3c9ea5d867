import { createHmac } from 'node:crypto'

/** The token to enter next to the URL at platforms that verify it. It's derived from the app's secret. */
export const verifyTokenOf = (clientSecret: string): string =>
  createHmac('sha256', clientSecret).update('rookery inbox').digest('hex').slice(0, 32)
