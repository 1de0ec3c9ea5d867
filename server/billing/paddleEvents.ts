import { fail } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { NOT_SET_UP } from './provider.ts'

/** Takes one notification of Paddle. */
export async function takeEvent({ payments }: Parts, _body: string, _signature: string): Promise<void> {
  if (payments.kind !== 'paddle') throw fail('PAYMENT_REFUSED', { detail: NOT_SET_UP })
}
