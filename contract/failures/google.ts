import { z } from 'zod'
import { DoingCode, doings } from './calls.ts'
import { about, Name, plain } from './define.ts'

/**
 * Why YouTube didn't keep a video (developers.google.com/youtube/v3/docs/videos), to complete "couldn't publish the
 * video".
 */
const videoProblems = {
  codec: 'its codec is not supported',
  conversion: "it couldn't be converted",
  emptyFile: 'the file is empty',
  invalidFile: "the file isn't a video",
  tooSmall: "it's too small",
  uploadAborted: 'the upload was interrupted',
  copyright: 'of copyright',
  duplicate: "it's the same as another one",
  inappropriate: 'of its content',
  length: "it's longer than this channel may upload",
  termsOfUse: 'of the terms of use',
  trademark: 'of a trademark',
  claim: 'someone claims the rights to it',
  legal: 'of legal reasons',
  uploaderAccountClosed: 'the account is closed',
  uploaderAccountSuspended: 'the account is suspended',
}
const isVideoProblem = (code: string): code is keyof typeof videoProblems => Object.hasOwn(videoProblems, code)

/* Refusals of Google, its Business Profiles and YouTube. */
export const google = {
  'google-one-hour-only': plain(
    'Google gave us a sign-in for one hour only.',
    'Remove the app under "Third-party connections" of your Google account, then start again.',
  ),
  'google-quota-used-up': about(
    { platform: Name },
    ({ platform }) => `The app registered with Google has used up its ${platform} quota for today.`,
    "We'll continue after midnight Pacific time. Your Rookery administrator can ask Google for a higher quota.",
  ),
  'google-permission-missing': about(
    { platform: Name, doing: DoingCode },
    ({ platform, doing }) => `${platform} didn't give us permission to ${doings[doing]}.`,
    "Reconnect the channel and keep all boxes on Google's page checked.",
  ),
  'google-api-off': about(
    { platform: Name },
    ({ platform }) => `The ${platform} API isn't enabled for the app registered with Google.`,
    'Ask your Rookery administrator to enable it in the Google Cloud console.',
  ),
  'google-location-closed': plain(
    "Google doesn't let this location publish posts from other apps.",
    'Chains with ten or more locations and some types of businesses are excluded. Publish directly on Google.',
  ),
  'google-phone-number': plain(
    "Google doesn't accept phone numbers in the text.",
    'Remove it, and use the button "Call now".',
  ),
  'google-no-location': plain(
    "This Google account doesn't manage a business location.",
    'Claim or create a location at business.google.com, then connect it.',
  ),
  'google-post-rejected': plain(
    'Google reviewed the post and rejected it because of its content rules.',
    'Remove phone numbers, prices of regulated goods and anything else its post rules list, then send it again.',
  ),
  'google-reply-rejected': plain(
    'Google rejected the reply because of its content rules.',
    'Remove phone numbers, links and anything else that its rules for reviews list, then send it again.',
  ),
  'google-review-answered': plain(
    'Someone has already replied to this review on Google, and a review can have only one reply.',
    'Edit or delete that reply instead.',
  ),
  'google-post-unnamed': plain(
    "Google has the post but didn't tell us which one it is.",
    "Check the profile to see whether it's there.",
  ),
  'google-post-gone': plain('Google accepted the post but no longer shows it.', 'Check the profile to see why.'),
  'google-event-without-times': plain(
    'Google needs to know when the event begins and ends.',
    'Enter the times and send the post again.',
  ),
  'google-button-without-link': plain('The button of the post has no link.', 'Enter its link.'),
  'google-no-public-address': plain(
    'Google downloads pictures from this installation, which has no public https address.',
    'Ask your Rookery administrator to give it one. You can still publish posts without a picture.',
  ),

  'youtube-daily-limit': plain(
    'This channel has uploaded as many videos today as YouTube accepts from it.',
    'Send the video again tomorrow.',
  ),
  'youtube-title': plain("YouTube doesn't accept the title.", 'Use at most 100 characters, and no < or >.'),
  'youtube-description': plain(
    "YouTube doesn't accept the description.",
    'Use at most 5,000 characters, and no < or >.',
  ),
  'youtube-category': plain("YouTube doesn't know the category.", 'Choose another one.'),
  'youtube-details': plain(
    "YouTube doesn't accept the details of the video.",
    'Check the title, description and category.',
  ),
  'youtube-publish-time': plain("YouTube doesn't accept the publishing time.", 'Send the video again.'),
  'youtube-tags': plain("YouTube doesn't accept the tags.", 'Change them on YouTube.'),
  'youtube-no-video-received': plain("YouTube didn't receive a video.", 'Attach the video again and send it.'),
  'youtube-comments-off': plain(
    'Comments are turned off for this video.',
    "Private videos and videos made for kids don't allow comments. Otherwise turn them on on YouTube and try again.",
  ),
  'youtube-comment-too-long': plain('The comment is longer than YouTube accepts.', 'Shorten it and send it again.'),
  'youtube-video-gone': plain('The video is no longer on YouTube.', 'Send it as a new one.'),
  'youtube-playlist-gone': plain('This playlist no longer exists on YouTube.', 'Choose another one.'),
  'youtube-playlist-full': plain('The playlist is full.', 'Choose another one.'),
  'youtube-no-channel': plain(
    'This Google account has no YouTube channel.',
    'Create a channel on YouTube, then connect it.',
  ),
  'youtube-channel-closed': plain('YouTube has closed this channel.', 'Sign in to YouTube to see why.'),
  'youtube-channel-suspended': plain('YouTube has suspended this channel.', 'Sign in to YouTube to see why.'),
  'youtube-not-allowed': plain(
    "YouTube doesn't allow this account to do that.",
    'Check the channel in YouTube Studio, then reconnect it here.',
  ),
  'youtube-upload-unknown': plain('YouTube no longer knows this upload.', "We're checking the channel to find out."),
  'youtube-not-shown': plain(
    'YouTube accepted the video but no longer shows it.',
    'Check the channel in YouTube Studio to see why.',
  ),
  'youtube-video-failed': about(
    { problem: z.string() },
    ({ problem }) => videoProblem(problem),
    'Save it as MP4 with H.264 and AAC, then send it again.',
  ),
  'youtube-video-rejected': about(
    { problem: z.string() },
    ({ problem }) => videoProblem(problem),
    'Check the channel in YouTube Studio to see what you can do.',
  ),
  'youtube-no-video': plain('A post on YouTube needs a video.', 'Attach one and send it again.'),
  'youtube-thumbnail': plain(
    'The thumbnail is larger than the 2 MB that YouTube accepts.',
    'Choose a smaller picture, or remove it.',
  ),
  'youtube-upload-lost': plain('YouTube repeatedly lost the upload of the video.', 'Send it again later.'),
  'youtube-piece-refused': plain("YouTube didn't accept a part of the video.", 'retry'),
  'youtube-no-address': plain("YouTube didn't tell us where to upload the video.", 'retry'),
}

function videoProblem(code: string): string {
  return isVideoProblem(code)
    ? `YouTube couldn't publish the video because ${videoProblems[code]}.`
    : `YouTube couldn't publish the video: ${code}.`
}
