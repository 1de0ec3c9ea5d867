import { mentioning, mentionsIn } from './fediverse.ts'
import type { ReplyRules } from './inboxRules.ts'

/** What a reply answers: who wrote it, and what it says. */
export type Answered = { handle: string | null; text: string }

const nameOf = (handle: string): string => handle.replace(/^@/, '').split('@')[0]?.toLowerCase() ?? ''

/**
 * A reply's text as it is sent, for counting: where the rules say so, with mentions of who wrote what it answers and of
 * whom that mentions, without the account itself (`own`, its handle).
 */
export function replyAsSent(
  { mentionsAnswered }: Pick<ReplyRules, 'mentionsAnswered'>,
  text: string,
  answered: Answered | undefined,
  own: string,
): string {
  if (!mentionsAnswered || !answered) return text
  const handles: string[] = []
  for (const handle of [answered.handle ?? '', ...mentionsIn(answered.text)].map((one) => one.replace(/^@/, '')))
    if (![own, '', ...handles].some((known) => nameOf(known) === nameOf(handle))) handles.push(handle)
  return mentioning(text, handles)
}
