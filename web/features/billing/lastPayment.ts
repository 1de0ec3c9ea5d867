import { z } from 'zod'
import { Id } from '#contract/common.ts'

const LastPayment = z.object({ orgId: Id, projectId: Id, transactionId: z.string().min(1) })
export type LastPayment = z.infer<typeof LastPayment>

const KEY = 'rookery.lastPayment'

/** Remembers in this tab which payment the success page is about, even after a reload. */
export function keepPayment(payment: LastPayment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(payment))
  } catch {
    // storage is turned off: the page says that there's nothing to show
  }
}

export function lastPayment(): LastPayment | undefined {
  try {
    return LastPayment.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data
  } catch {
    return undefined
  }
}
