import type pg from 'pg'

/** Texts of one transaction. */
const BATCH = 500

/**
 * Indexes the words of texts again that were indexed by an earlier version's rules, until none is left. Until then, a search
 * finds them by those rules. Returns how many there were.
 */
export async function indexAgain(pool: pg.Pool, signal: AbortSignal): Promise<number> {
  let done = 0
  for (const reindex of ['select reindex_item_words($1) as n', 'select reindex_post_words($1) as n'])
    for (let n = BATCH; n > 0 && !signal.aborted; done += n)
      n = (await pool.query<{ n: number }>(reindex, [BATCH])).rows[0]?.n ?? 0
  return done
}
