import type { PaymentMethod } from '#contract/billing.ts'

export type Card = {
  cardNumber: string
  expiryMonth: number
  expiryYear: number
  cardholderName: string
  confirmed: boolean
}
export type Charged = 'paid' | 'declined' | 'expired' | 'confirm'

/** The test cards, after Stripe's numbers (decisions, Plans and payments). Every other number is declined. */
const cards: Readonly<Record<string, 'pays' | 'declined' | 'asks'>> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'declined',
  '4000000000003220': 'asks',
}

/** What comes of a test card that someone enters at this moment. */
export function tryCard({ cardNumber, confirmed, ...card }: Card, at: Date): Charged {
  const does = cards[cardNumber] ?? 'declined'
  if (does === 'declined') return 'declined'
  if (isOver(card, at)) return 'expired'
  return does === 'asks' && !confirmed ? 'confirm' : 'paid'
}

/** What is kept of a card: never its number. */
export const methodOf = ({ cardNumber, expiryMonth, expiryYear, cardholderName }: Card): PaymentMethod => ({
  type: 'card',
  card: { type: 'visa', last4: cardNumber.slice(-4), expiryMonth, expiryYear, cardholderName },
})

/**
 * Whether the kept card pays while nobody sits before the screen: one that is over, or that asks its holder, doesn't.
 */
export function paysUnseen(method: PaymentMethod | null, at: Date): boolean {
  return method?.card != null && !isOver(method.card, at) && method.card.last4 !== '3220'
}

/** Whether it pays for a change that its holder has just confirmed. */
export const paysNow = (method: PaymentMethod | null, at: Date): boolean =>
  method?.card != null && !isOver(method.card, at)

/** A card is good to the end of its month. */
const isOver = ({ expiryMonth, expiryYear }: { expiryMonth: number; expiryYear: number }, at: Date): boolean =>
  new Date(Date.UTC(expiryYear, expiryMonth, 1)) <= at
