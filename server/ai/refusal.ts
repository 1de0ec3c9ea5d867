/**
 * How chat models decline. In the first person singular and about the request, so that posts such as "I can't help but
 * smile" or "We're sorry, we can't open today" don't count.
 */
const cannot = String.raw`(?:i\s*(?:can['’]?t|cannot|can\s+not|won['’]?t)|i(?:['’]m|\s+am)\s+(?:unable|not\s+able)\s+to)`
const opening = String.raw`^\W*(?:(?:(?:i(?:['’]m|\s+am)\s+(?:really\s+|very\s+|so\s+)?)?sorry|i\s+apologi[sz]e|apologies|unfortunately)\b[,.:;–—-]*\s*(?:but\s+)?)?`
const about = String.raw`(?:this|that|your|the|such|any|these|those)\b[^.!?\n]{0,60}?\b(?:request|content|material|instructions?|task|prompt|topics?|images?|pictures?|photos?|posts?|captions?)\b`
const refusals = [
  new RegExp(
    String.raw`${opening}${cannot}\s+(?:help|assist)(?:\s+you)?\s+with\s+(?:this|that|your|such|the\s+request|it)\b`,
    'iu',
  ),
  new RegExp(String.raw`${opening}${cannot}\s+(?:assist|comply|do\s+that)\s*(?:[.!,]|$)`, 'iu'),
  new RegExp(
    String.raw`${opening}${cannot}\s+(?:comply\s+with|fulfil+|complete|process|provide|generate|create|write|produce|answer|respond\s+to|see|view|access|identify|describe)\s+${about}`,
    'iu',
  ),
  /^\W*(?:i['’]m sorry,?\s+(?:but\s+)?)?as an? (?:ai|artificial intelligence|(?:large )?language model)\b/iu,
]

/** Refusals are short; a longer text that starts like one says something else too. Characters. */
const LONGEST = 600

/** Whether a model declined instead of answering. What the person's own text (`source`) contains isn't a refusal. */
export const isRefusal = (text: string, source = ''): boolean =>
  text.length <= LONGEST && refusals.some((refusal) => refusal.test(text.trim()) && !refusal.test(source.trim()))
