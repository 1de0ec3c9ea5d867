import { z } from 'zod'
import { about, Because, Name, plain, Quote } from './define.ts'

/* Calls to platforms in general: no connection, no response, their own problems, permissions, refusals. */

/** What we asked a platform to do, to complete "refused to …". */
export const doings = {
  'renew-sign-in': 'renew our sign-in',
  'accept-sign-in': 'accept our sign-in',
  'end-sign-in': 'end our sign-in',
  'finish-sign-in': 'finish the sign-in',
  'register-app': 'register our app',
  'list-permissions': 'tell us what we may do',
  'identify-account': 'tell us whose account this is',
  'identify-channel': 'tell us whose channel this is',
  'identify-page': 'tell us whose Page this is',
  'list-accounts': 'list your accounts',
  'list-pages': 'list your Pages',
  'list-locations': 'list your locations',
  'find-people': 'search for people',
  'find-account': 'look up the account',
  'find-page': 'look up the Page',
  'find-places': 'search for places',
  'list-boards': 'list your boards',
  'change-board': 'change the board',
  'list-categories': 'list the categories',
  'list-playlists': 'list your playlists',
  'add-playlist': 'create the playlist',
  'add-to-playlist': 'add the video to the playlist',
  'show-figures': 'show the statistics',
  'show-posts': 'show the posts',
  'show-post': 'show the post',
  'show-comments': 'show the comments',
  'show-pins': 'show the Pins',
  'show-pin': 'show the Pin',
  'show-video': 'show the video',
  'publish-post': 'publish the post',
  'change-post': 'change the post',
  'delete-post': 'delete the post',
  'publish-story': 'publish the story',
  'publish-comment': 'publish the comment',
  'publish-reply': 'publish the reply',
  'publish-pin': 'publish the Pin',
  'change-pin': 'change the Pin',
  'delete-pin': 'delete the Pin',
  'accept-video': 'accept the video',
  'change-video': 'change the video',
  'delete-video': 'delete the video',
  'accept-file': 'accept the file',
  'accept-picture': 'accept the picture',
  'accept-cover': 'accept the cover',
  'accept-thumbnail': 'accept the thumbnail',
  'accept-alt-text': 'accept the alternative text',
  'store-video': 'let its video service store the video',
  'show-progress': 'show the progress of the post',
  'show-video-progress': 'show the progress of the video',
  'show-upload-progress': 'show the progress of the upload',
  'show-quota': 'show how many posts are left',
  'show-options': 'show what the account may choose',
  'show-rights': 'show what the account may do',
  'list-ad-accounts': 'list your ad accounts',
  'list-audiences': 'list your saved audiences',
  'show-ad-account': 'show the ad account',
  'show-promotion': 'show the promotion',
  'show-audience': 'show the saved audience',
  'create-campaign': 'create the campaign',
  'create-ad-set': 'create the ad set',
  'create-ad': 'create the ad',
  'create-creative': 'accept the post as an ad',
  'start-campaign': 'start the campaign',
  'stop-campaign': 'stop the campaign',
  'accept-card-picture': 'accept the picture of the link card',
  'show-inbox': 'show comments and messages',
  'send-notifications': 'notify us of new comments and messages',
  'find-mention': 'look up a mentioned account',
  'change-reply': 'change the reply',
  'delete-reply': 'delete the reply',
  'hide-comment': 'hide or show the comment',
  'delete-comment': 'delete the comment',
  'react-to-item': 'accept the reaction',
} as const
export type Doing = keyof typeof doings
// of a record its keys are strings: these are the record's own
export const DoingCode = z.enum(Object.keys(doings) as Doing[])

const ASKED = { platform: Name, doing: DoingCode }
const LOOKING = "We're checking the account to find out."
const RECONNECT = 'Reconnect the channel.'
const FROM_OUTSIDE =
  'Ask your Rookery administrator to check that this installation can be reached from the internet. Then send the post again.'

export const calls = {
  unreachable: about({ platform: Name }, ({ platform }) => `We couldn't reach ${platform}.`, 'retry'),
  'address-not-public': about(
    { platform: Name },
    ({ platform }) => `We can't reach ${platform} because its address isn't public.`,
    'Check the name of the server.',
  ),
  'answer-lost': about(
    ASKED,
    ({ platform, doing }) => `${platform} didn't ${doings[doing]}: we didn't get an answer.`,
    'retry',
  ),
  'maybe-done': about(
    ASKED,
    ({ platform, doing }) =>
      `We asked ${platform} to ${doings[doing]}, but its answer was lost. It may have gone through.`,
    LOOKING,
  ),
  'trouble-maybe-done': about(
    ASKED,
    ({ platform, doing }) =>
      `${platform} had a problem on its side when we asked it to ${doings[doing]}. It may have gone through.`,
    LOOKING,
  ),
  'platform-trouble': about(
    ASKED,
    ({ platform, doing }) => `${platform} didn't ${doings[doing]} because of a problem on its side.`,
    'retry',
  ),
  'blocked-on-the-way': about(
    ASKED,
    ({ platform, doing }) => `Something in front of ${platform} blocked our request to ${doings[doing]}.`,
    'retry',
  ),
  'no-answer': about({ platform: Name }, ({ platform }) => `${platform} didn't answer.`, LOOKING),
  'unreadable-answer': about({ platform: Name }, ({ platform }) => `We couldn't read ${platform}'s answer.`, LOOKING),
  'slow-down': about(
    { platform: Name },
    ({ platform }) => `${platform} asked us to slow down for this account.`,
    'slow',
  ),
  'slow-down-app': about(
    { platform: Name },
    ({ platform }) => `${platform} asked the app of this installation to slow down.`,
    'slow',
  ),
  'daily-limit': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't accept anything more from this account today.`,
    'slow',
  ),
  'budget-used-up': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't accept more requests from this account right now.`,
    'Try again in a few minutes. Your posts will be published as scheduled.',
  ),
  refused: about(
    { ...ASKED, words: Quote },
    ({ platform, doing, words }) => `${platform} refused to ${doings[doing]}: ${words}`,
    'change',
  ),
  'permission-missing': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't give us permission to do this for the account.`,
    'Reconnect the channel and keep all permissions on.',
  ),
  duplicate: about(
    { platform: Name },
    ({ platform }) => `${platform} didn't accept this post because it's the same as an earlier one.`,
    'Change the text and send it again.',
  ),
  'post-gone': about(
    { platform: Name },
    ({ platform }) => `This post is no longer on ${platform}.`,
    'Send it as a new post.',
  ),
  'parent-unknown': about(
    { platform: Name },
    () => "We don't know which post this one follows.",
    ({ platform }) => `Add it directly on ${platform}.`,
  ),
  'parent-gone': about(
    { platform: Name },
    ({ platform }) => `The post that this one follows is no longer on ${platform}.`,
    ({ platform }) => `Add it directly on ${platform}, or post again.`,
  ),
  'post-unnamed': about(
    { platform: Name },
    ({ platform }) => `${platform} accepted the post but didn't tell us which one it is.`,
    LOOKING,
  ),
  'comment-unnamed': about(
    { platform: Name },
    ({ platform }) => `${platform} accepted the comment but didn't tell us which one it is.`,
    "We're checking the post to find out.",
  ),
  'published-not-shown': about(
    { platform: Name },
    ({ platform }) => `${platform} says that it published this, but doesn't show it yet.`,
    "We'll check again automatically.",
  ),
  'still-working': about(
    { platform: Name },
    ({ platform }) => `${platform} is still processing the post.`,
    "We'll check again automatically.",
  ),
  'too-many-to-search': about(
    { platform: Name, things: z.string() },
    ({ platform, things }) => `${platform} lists more recent ${things} than we can search.`,
    ({ platform }) => `Check the account on ${platform}, then tell us here whether it was published.`,
  ),
  'same-text-listed': about(
    { platform: Name, things: z.string() },
    ({ platform, things }) =>
      `${platform} lists the same text among the account's ${things}, but its time doesn't tell whether it's this one.`,
    ({ platform }) => `Check the account on ${platform}, then tell us here whether it was published.`,
  ),

  // files
  'file-missing': plain('A file of this post is missing.', 'Attach it again.'),
  'file-too-large': plain(
    "A file is larger than this account's server accepts.",
    'Make it smaller or choose another one.',
  ),
  'not-uploaded': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't have the files yet.`,
    "We'll upload them automatically.",
  ),
  'files-gone': about(
    { platform: Name },
    ({ platform }) => `${platform} no longer has the uploaded files.`,
    "We'll upload them again automatically.",
  ),
  'files-in-progress': about(
    { platform: Name },
    ({ platform }) => `${platform} is still processing the files.`,
    'retry',
  ),
  'files-not-finished': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't finish processing these files.`,
    'Try other files, or send the post again later.',
  ),
  'not-prepared': plain("The post isn't ready on the platform yet.", "We'll prepare it automatically."),
  'prepared-gone': about(
    { platform: Name },
    ({ platform }) => `${platform} no longer has what we prepared for this post.`,
    "We'll prepare it again automatically.",
  ),
  'link-picture-missing': plain(
    'The picture of the link card is missing.',
    'Load the link preview again, or remove its picture.',
  ),
  'link-unreadable': about(
    { platform: Name },
    ({ platform }) => `${platform} couldn't read the page behind the link.`,
    'Check the link, or remove it.',
  ),
  'fetch-failed': about(
    { platform: Name, file: z.enum(['file', 'picture', 'pictures', 'video']) },
    ({ platform, file }) => `${platform} couldn't download the ${file} from this installation.`,
    FROM_OUTSIDE,
  ),
  'frame-rate': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't accept the frame rate of this video.`,
    'Save it with 23 to 60 frames per second.',
  ),

  // the sign-in to an account
  'sign-in-refused': about({ platform: Name }, ({ platform }) => `You've been signed out of ${platform}.`, RECONNECT),
  'sign-in-expired': about({ platform: Name }, ({ platform }) => `Our sign-in to ${platform} has expired.`, RECONNECT),
  'sign-in-revoked': about({ platform: Name }, ({ platform }) => `Our sign-in to ${platform} was revoked.`, RECONNECT),
  'sign-in-outdated': about({ platform: Name }, ({ platform }) => `${platform} asked us to sign in again.`, 'retry'),
  'app-removed': about(
    { platform: Name },
    ({ platform }) => `This app was removed from the account on ${platform}.`,
    RECONNECT,
  ),
  'sign-in-there-first': about(
    { platform: Name },
    ({ platform }) => `${platform} wants the person who connected this account to sign in there first.`,
    ({ platform }) => `Sign in to ${platform}, follow its steps, then reconnect the channel.`,
  ),
  'password-changed': about(
    { platform: Name },
    ({ platform }) =>
      `The person who connected this account changed their password, which ended our sign-in to ${platform}.`,
    RECONNECT,
  ),
  'page-role-lost': plain(
    'The person who connected this Page no longer has a role on it.',
    'Ask someone who manages the Page to reconnect the channel.',
  ),
  'unreadable-sign-in': plain("We can't read the saved sign-in of this channel.", RECONNECT),
  'sign-in-missing': plain('This channel has no sign-in.', RECONNECT),
  'sign-in-key-lost': plain(
    "We can't read the saved sign-in of this channel because its encryption key is gone.",
    RECONNECT,
  ),
  'renewal-in-progress': plain('The sign-in of this channel is being renewed.', "We'll try again in a moment."),
  'renewal-answer-lost': plain("We didn't get an answer when we renewed our sign-in.", 'retry'),
  'renewal-unanswered': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't renew our sign-in: we didn't get an answer.`,
    'retry',
  ),
  'renewal-failed': about({ platform: Name }, ({ platform }) => `${platform} couldn't renew our sign-in.`, 'retry'),
  /** Whatever the reason for refusing a renewal, only a person can do something about it. */
  'renewal-refused': about({ because: Because }, ({ because }, say) => say.sentence(because), RECONNECT),
  'renewal-interrupted': plain(
    'Renewing the sign-in was interrupted several times, so its newest token was lost.',
    RECONNECT,
  ),
  'app-not-set-up': plain('The app that this channel was connected with is no longer set up here.', RECONNECT),
  'other-account': plain("This account's server answered for another account.", RECONNECT),

  // connecting an account
  'not-set-up': plain(
    "This platform isn't set up here.",
    'Ask your Rookery administrator to register an app with the platform and enter its credentials.',
  ),
  'connection-outdated': plain("This connection can't be finished anymore.", 'Start again.'),
  'sign-in-declined': about(
    { platform: Name },
    ({ platform }) => `${platform} wasn't allowed to sign you in.`,
    'Start again, and agree to the permissions on its page.',
  ),
  'sign-in-foreign': plain("This answer doesn't belong to the sign-in that you started here.", 'Start again.'),
  'sign-in-unreachable': about(
    { platform: Name },
    ({ platform }) => `We couldn't reach ${platform}.`,
    'Try again in a moment.',
  ),
  'sign-in-unfinished': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't finish the sign-in.`,
    'Start again in a moment.',
  ),
  'sign-in-slow-down': about(
    { platform: Name },
    ({ platform }) => `${platform} asked us to slow down.`,
    'Start again in a minute.',
  ),
  'sign-in-rejected': about(
    { platform: Name, words: Quote.optional() },
    ({ platform, words }) => `${platform} didn't let us sign in${words === undefined ? '.' : `: ${words}`}`,
    'Start again. If it happens again, check the credentials and the redirect address in the app settings on the platform.',
  ),
}
