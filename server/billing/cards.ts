import type { PaymentMethod } from '#contract/billing.ts'

export type Card = {
  cardNumber: string
  expiryMonth: number
  expiryYear: number
  cardholderName: string
  confirmed: boolean
}
export type Charged = 'paid' | 'declined' | 'expired' | 'confirm'

/** The test cards, with Stripe's numbers. All other numbers are declined. */
const cards: Readonly<Record<string, 'pays' | 'declined' | 'asks'>> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'declined',
  '4000000000003220': 'asks',
}

/** What happens with a test card entered now. */
export function tryCard({ cardNumber, confirmed, ...card }: Card, at: Date): Charged {
  const does = cards[cardNumber] ?? 'declined'
  if (does === 'declined') return 'declined'
  if (isOver(card, at)) return 'expired'
  return does === 'asks' && !confirmed ? 'confirm' : 'paid'
}

/** What is stored of a card: never its number. */
export const methodOf = ({ cardNumber, expiryMonth, expiryYear, cardholderName }: Card): PaymentMethod => ({
  type: 'card',
  card: { type: 'visa', last4: cardNumber.slice(-4), expiryMonth, expiryYear, cardholderName },
})

/** Whether the stored card pays without its holder: expired ones and ones that ask their holder don't. */
export function paysUnseen(method: PaymentMethod | null, at: Date): boolean {
  return method?.card != null && !isOver(method.card, at) && method.card.last4 !== '3220'
}

/** Whether it pays for a change that its holder just confirmed. */
export const paysNow = (method: PaymentMethod | null, at: Date): boolean =>
  method?.card != null && !isOver(method.card, at)

/** A card is valid to the end of its month. */
const isOver = ({ expiryMonth, expiryYear }: { expiryMonth: number; expiryYear: number }, at: Date): boolean =>
  new Date(Date.UTC(expiryYear, expiryMonth, 1)) <= at
