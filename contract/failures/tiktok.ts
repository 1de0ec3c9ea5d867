import { z } from 'zod'
import { about, Because, plain, Quote } from './define.ts'

const AGAIN_TOMORROW = "We'll try again automatically. You can also send it tomorrow."

/* TikTok's refusals. */
export const tiktok = {
  'tiktok-daily-limit': plain("TikTok doesn't accept any more posts from this account today.", AGAIN_TOMORROW),
  'tiktok-pending-limit': plain(
    'TikTok has too many unfinished posts of this account from the last 24 hours.',
    AGAIN_TOMORROW,
  ),
  'tiktok-app-limit': plain(
    "TikTok doesn't accept any more accounts from this app today.",
    "We'll try again automatically. Your Rookery administrator can apply for TikTok's audit of the app.",
  ),
  /** A daily limit that TikTok reported after accepting the post: it isn't retried. */
  'tiktok-limit-after-upload': about(
    { because: Because },
    ({ because }, say) => say.sentence(because),
    'Send it again tomorrow.',
  ),
  'tiktok-spam': plain(
    'TikTok considers the post spam.',
    "Check the account's messages in TikTok, change the post and send it again.",
  ),
  'tiktok-spam-text': plain('TikTok considers the text spam.', 'Change the text and send it again.'),
  'tiktok-banned': plain('TikTok has banned this account from posting.', "Check the account's messages in TikTok."),
  'tiktok-address-unverified': plain(
    "TikTok downloads pictures only from addresses that the app has verified, and this installation's isn't.",
    'Ask your Rookery administrator to add its address under "URL properties" of the app on TikTok.',
  ),
  'tiktok-viewers': plain(
    "This account can't post for the viewers that you chose.",
    'Choose again who can see the post, then send it again.',
  ),
  'tiktok-app-unaudited': plain(
    "TikTok hasn't audited this app yet, so it can only post to private accounts, visible only to them.",
    'Make the account private in TikTok and choose "Only me". Or ask your Rookery administrator to request an audit from TikTok.',
  ),
  'tiktok-no-media': plain('A post on TikTok needs a video or pictures.', 'Add one and send it again.'),
  'tiktok-no-privacy': plain(
    'TikTok requires a person to choose who can see the post.',
    'Choose it, then send the post again.',
  ),
  'tiktok-branded-private': plain(
    "TikTok doesn't accept branded content that only you can see.",
    'Choose another audience, then send the post again.',
  ),
  'tiktok-video-too-long': about(
    { seconds: z.number() },
    ({ seconds }) => `This account can post videos of at most ${seconds} seconds.`,
    'Trim the video and send it again.',
  ),
  'tiktok-text-too-long': about(
    { most: z.number() },
    ({ most }) => `TikTok accepts at most ${most} characters for the title and text of a video together.`,
    'Shorten the text and send it again.',
  ),
  'tiktok-no-public-address': plain(
    'TikTok downloads pictures from this installation, which has no public https address.',
    'Ask your Rookery administrator to give it one. You can still publish videos.',
  ),
  'tiktok-file-type': plain(
    "TikTok couldn't use the format of the file.",
    'Save a video as MP4 with H.264, a picture as JPEG, and send it again.',
  ),
  'tiktok-duration': plain(
    "TikTok didn't accept the length of the video for this account.",
    'Trim the video and send it again.',
  ),
  'tiktok-pixels': plain(
    "TikTok doesn't accept the pixel size of the video or picture.",
    'Save it with 360 to 4096 pixels per side, pictures within 1080 by 1920.',
  ),
  'tiktok-canceled': plain('The post was canceled on TikTok.', 'Send it again if you still want it.'),
  'tiktok-trouble': plain("TikTok had a problem on its side and didn't publish the post.", 'Send it again.'),
  'tiktok-app-removed': plain(
    'This app was removed from the account on TikTok before the post was published.',
    'Reconnect the channel and send the post again.',
  ),
  'tiktok-refused': about(
    { words: Quote.optional() },
    ({ words }) => `TikTok didn't publish the post: ${words ?? "it doesn't say why."}`,
    'Send it again.',
  ),
  'tiktok-video': plain(
    "TikTok didn't accept the video in three attempts.",
    'Save it as MP4 with H.264, then send it again.',
  ),
  'tiktok-upload-unclear': plain(
    "TikTok's answer to the end of the upload doesn't say whether it's publishing the post.",
    "We're checking to find out.",
  ),
  'tiktok-not-listed': plain(
    "TikTok doesn't show the post, which may still be under review.",
    'Check the account in TikTok to see whether the post is there.',
  ),
}
