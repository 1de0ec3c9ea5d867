import { z } from 'zod'
import { Id } from '#contract/common.ts'

const LastPayment = z.object({ orgId: Id, projectId: Id, transactionId: z.string().min(1) })
export type LastPayment = z.infer<typeof LastPayment>

const KEY = 'rookery.lastPayment'

/** Keeps in this tab which payment the page of success speaks of, also after a reload. */
export function keepPayment(payment: LastPayment): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(payment))
  } catch {
    // switched off: the page says that there is nothing to show
  }
}

export function lastPayment(): LastPayment | undefined {
  try {
    return LastPayment.safeParse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null')).data
  } catch {
    return undefined
  }
}
