/**
 * The text without trailing characters that are `extra`, each a whole character. Reads the end only once, whatever
 * precedes it: a pattern such as /[.,]+$/ starts over at each character of a long run that is followed by something
 * else, which takes seconds for 60,000 of them, and texts come from strangers.
 */
export function trimEndWhere(text: string, extra: (char: string) => boolean): string {
  let end = text.length
  while (end > 0) {
    const last = text.charCodeAt(end - 1)
    // the second half of a pair belongs to the first
    const start = end > 1 && last >= 0xdc00 && last <= 0xdfff ? end - 2 : end - 1
    if (!extra(text.slice(start, end))) break
    end = start
  }
  return text.slice(0, end)
}
