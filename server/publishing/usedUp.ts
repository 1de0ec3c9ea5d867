import type { Platform } from '../platforms/platform.ts'
import { facts, type Workshop } from './bench.ts'
import { usedUpWords } from './budgets.ts'
import type { Claimed } from './claim.ts'
import { event, waitsFor } from './decide.ts'

/** Writes why a due post waits whose budget is used up: once, and it stays where it is. Never throws; answers false when it broke. */
export async function tellUsedUp(shop: Workshop, platform: Platform, claimed: Claimed): Promise<boolean> {
  try {
    const known = facts(shop)
    const failure = usedUpWords(platform, claimed.used_up ?? '')
    await shop.writer.write({ ...waitsFor(claimed, 'held', known), failure, outcome: 'used up', events: [event('waiting', known.now, failure.reason)] })
    return true
  } catch (error) {
    shop.log.error({ err: error, postId: claimed.post_id }, 'why a post waits could not be told')
    return false
  }
}
