import { countText } from './countText.ts'
import { mentioning, mentionsIn } from './fediverse.ts'
import type { ReplyRules } from './inboxRules.ts'
import type { TextLimit } from './rules.ts'

/** What a reply answers: who wrote it, and what it says, with the content warning that its text begins with. */
export type Answered = { handle: string | null; text: string; warning?: string | null }

const nameOf = (handle: string): string => handle.replace(/^@/, '').split('@')[0]?.toLowerCase() ?? ''

/**
 * A reply's text as it is sent, for counting: where the rules say so, with mentions of who wrote what it answers and of
 * whom that mentions, without the account itself (`own`, its handle).
 */
function replyAsSent(
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

/**
 * How long a reply is as it's sent: with mentions in front, and with the content warning of what it answers, which counts
 * as characters (mastodon/mastodon, app/validators/status_length_validator.rb).
 */
export function replyLength(
  rules: Pick<ReplyRules, 'mentionsAnswered'>,
  { unit, addressLength }: Pick<TextLimit, 'unit' | 'addressLength'>,
  text: string,
  answered: Answered | undefined,
  own: string,
): number {
  const warning = rules.mentionsAnswered ? (answered?.warning ?? '') : ''
  return countText(replyAsSent(rules, text, answered, own), unit, addressLength) + countText(warning, 'graphemes')
}

/** What an edited reply is counted with: those whom it mentions now stay in front of it. */
export const answeredAgain = (answered: Answered | undefined, textNow: string): Answered =>
  answered ? { ...answered, text: `${answered.text} ${textNow}` } : { handle: null, text: textNow }
