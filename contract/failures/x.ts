import { DoingCode, doings } from './calls.ts'
import { about, plain, Quote } from './define.ts'

/* X's refusals. */
export const x = {
  'x-reply-not-allowed': plain(
    'X lets this app reply to a post only if its author mentioned or quoted the account.',
    'Add it on X, or put everything into one post. X exempts apps with an Enterprise contract.',
  ),
  'x-message-not-allowed': plain(
    "X doesn't let this account send messages to this person.",
    'They may have blocked the account, or accept messages only from people they follow.',
  ),
  'x-cashtags': plain('X accepts at most one cashtag in a post.', 'Remove all but one of the words that begin with $.'),
  'x-app-not-allowed': plain(
    "X doesn't let the registered app publish.",
    "Ask your Rookery administrator to check the app, its project and its plan in X's developer portal.",
  ),
  'x-account-locked': plain(
    'X has suspended or locked this account.',
    'Sign in to X, follow its steps, then send the post again.',
  ),
  'x-text-too-long': plain(
    'The text is longer than X accepts from this account.',
    'Shorten the text. Only accounts with X Premium can publish more than 280 characters.',
  ),
  'x-no-credits': plain(
    'The app registered with X has no credits left.',
    "Ask your Rookery administrator to add credits in X's developer portal. Then send the post again.",
  ),
  'x-permission-missing': about(
    { doing: DoingCode },
    ({ doing }) => `X didn't give us permission to ${doings[doing]}.`,
    'Reconnect the channel and keep all permissions on.',
  ),
  'x-file': about(
    { words: Quote.optional() },
    ({ words }) => `X couldn't use the file${words === undefined ? '.' : `: ${words}`}`,
    'Save videos as MP4 with H.264 and AAC, at most 140 seconds long, then send the post again.',
  ),
  'x-file-never-finished': plain(
    "X didn't finish processing the file.",
    'Save videos as MP4 with H.264 and AAC, at most 140 seconds long, then send the post again.',
  ),
}
