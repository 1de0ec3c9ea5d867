import { DoingCode, doings } from './calls.ts'
import { about, Because, Name, plain, Quote } from './define.ts'

const ADS_MANAGER = 'Open it in Ads Manager to fix it.'
const AS_AD_MANAGER = 'Reconnect the channel as Ad Manager.'

/* Refusals of Facebook, Instagram and Threads. */
export const meta = {
  'meta-permission-missing': about(
    { platform: Name, doing: DoingCode },
    ({ platform, doing }) => `${platform} didn't give us permission to ${doings[doing]}.`,
    'Reconnect the channel and keep all permissions on. The person who connects it needs a role that can publish.',
  ),
  'meta-account-blocked': about(
    { platform: Name },
    ({ platform }) => `${platform} has temporarily blocked this account from doing that because of its rules.`,
    ({ platform }) => `Check the account's messages on ${platform}. Wait, then send the post again.`,
  ),
  'meta-window-over': about(
    { platform: Name },
    ({ platform }) =>
      `${platform} no longer accepts an answer: it allows 24 hours after the last message, or 7 days with its Human Agent feature.`,
    'You can reply once this person writes again.',
  ),
  'meta-person-unavailable': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't let us write to this person.`,
    'They may have blocked the account or left the conversation.',
  ),
  'facebook-no-pages': plain(
    "Facebook didn't show us any Page that you manage.",
    'Start again and choose at least one Page on Facebook. You need a role on a Page to connect it.',
  ),
  'facebook-no-place-search': plain(
    "Facebook doesn't let this installation's app search for places.",
    'Type the ID of the place\'s Page. Your Rookery administrator can ask Meta for "Page Public Metadata Access".',
  ),
  'facebook-people-closed': plain(
    'Only apps with the Page Mentioning feature can mention Pages on Facebook, and no app can mention people. Add the mention on Facebook after publishing.',
    '',
  ),
  'facebook-video-unclear': plain(
    "Facebook didn't say whether it accepted the video.",
    "We're checking the account to find out.",
  ),
  'facebook-video-failed': about(
    { words: Quote },
    ({ words }) => `Facebook couldn't publish the video: ${words}`,
    'Save it as MP4 with H.264 and AAC, then send it again.',
  ),
  'facebook-upload-failed': about(
    { words: Quote.optional() },
    ({ words }) => `Facebook couldn't accept the video${words === undefined ? '.' : `: ${words}`}`,
    'Save it as MP4 with H.264 and AAC, then send it again.',
  ),
  'facebook-story-not-editable': plain("Stories can't be edited on Facebook.", 'Delete it and send a new one.'),
  'facebook-other-pictures': plain(
    "The Page shows a post with the same text, but Facebook doesn't say whether it has the same pictures.",
    'Check the Page, then tell us here whether the post is there.',
  ),
  'facebook-story-unnamed': plain(
    'Facebook shows the story without saying which post it is.',
    "We'll check again automatically.",
  ),

  // promoting posts
  'ads-page-only': plain('This channel was connected as a Page only.', AS_AD_MANAGER),
  'ads-sign-in-ended': about({ because: Because }, ({ because }, say) => say.sentence(because), AS_AD_MANAGER),
  'ads-permission-missing': about(
    { because: Because },
    ({ because }, say) => say.sentence(because),
    `${AS_AD_MANAGER} Keep all permissions on. The person who connects it needs the advertiser role on the ad account and on the Page.`,
  ),
  'ads-refused': about(
    { because: Because },
    ({ because }, say) => say.sentence(because),
    'Look at the ad account in Ads Manager, then promote the post again.',
  ),
  'ads-no-payment-method': plain(
    'The ad account has no valid payment method.',
    'Add one in Ads Manager. The promotion will then continue automatically.',
  ),
  'ads-held': about(
    { words: Quote.optional() },
    ({ words }) => `Facebook is holding this promotion back${words === undefined ? '.' : `: ${words}`}`,
    ADS_MANAGER,
  ),
  'ads-not-running': plain("Facebook doesn't say that this promotion is running.", ADS_MANAGER),
  'ads-rejected': about(
    { words: Quote.optional() },
    ({ words }) => `Facebook rejected this promotion in its review${words === undefined ? '.' : `: ${words}`}`,
    'Ask for another review in Ads Manager, or promote another post.',
  ),
  'ads-video-without-post': plain("Facebook doesn't list a post for this video.", 'Promote it on Facebook.'),
  'ads-post-not-eligible': plain(
    "Facebook doesn't allow this post to be promoted.",
    'Open it on Facebook to see why, or promote another post.',
  ),
  'ads-post-gone': plain('This post is no longer on Facebook.', 'Promote another post.'),
  'ads-audience-gone': plain(
    'The saved audience no longer exists.',
    'Choose another one in Ads Manager, then promote the post again.',
  ),
  'ads-audience-without-place': plain(
    'The saved audience has no location.',
    'Add one in Ads Manager or choose another audience, then promote the post again.',
  ),
  'ads-account-view-only': plain("You can view this account, but you can't advertise with it.", ''),
  'ads-account-disabled': plain('Facebook has disabled this account.', ''),
  'ads-account-unpaid': plain('This account has an unpaid balance.', ''),
  'ads-account-in-review': plain('Facebook is reviewing this account.', ''),
  'ads-account-closed': plain('This account is closed.', ''),
  'ads-account-unavailable': plain("Facebook doesn't let this account advertise right now.", ''),

  'instagram-no-accounts': plain(
    'None of your Facebook Pages is linked to a professional Instagram account.',
    'Link the account to a Page in the Instagram settings and choose both on Facebook, or connect with Instagram instead.',
  ),
  'instagram-no-place-search': plain(
    "Accounts connected with Instagram can't search for places.",
    "Type the ID of the place's Facebook Page, or connect the account with Facebook.",
  ),
  'instagram-no-public-address': plain(
    'Instagram downloads pictures and videos from this installation, which has no public https address.',
    'Ask your Rookery administrator to give it one.',
  ),
  'instagram-no-media': plain("Instagram doesn't accept posts without a picture or video.", 'Attach one.'),
  'instagram-several-stories': plain(
    "Instagram shows several stories since then and doesn't say which one is this.",
    'Check the account on Instagram, then tell us here whether it was published.',
  ),
  'instagram-no-delete': plain(
    "Instagram doesn't let apps delete posts of accounts that are connected this way.",
    'Delete it in the Instagram app, or reconnect the channel with Facebook.',
  ),
  'instagram-picture-type': plain(
    "Instagram doesn't accept this type of picture.",
    'Save it as JPEG and send it again.',
  ),
  'instagram-picture-too-large': plain(
    'A picture is larger than the 8 MB that Instagram accepts.',
    'Make it smaller and send the post again.',
  ),
  'instagram-picture-shape': plain(
    "Instagram doesn't accept the shape of a picture.",
    'Crop it to between 4:5 and 1.91:1.',
  ),
  'instagram-text-too-long': plain('The text is longer than Instagram accepts.', 'Shorten it to 2,200 characters.'),
  'instagram-video-type': plain(
    "Instagram doesn't accept this type of video.",
    'Save it as MP4 with H.264 and AAC, then send it again.',
  ),
  'instagram-mixed-files': plain("Instagram doesn't accept these files together.", 'Use 2 to 10 pictures and videos.'),
  'instagram-mentions': plain('The text mentions more people than Instagram accepts.', 'Keep at most 20 mentions.'),
  'instagram-account-restricted': plain(
    'Instagram has restricted this account.',
    'Open the Instagram app and follow its steps.',
  ),
  'instagram-cover-outside': plain('The cover is set to a moment outside the video.', 'Choose another cover.'),
  'instagram-spam': plain(
    'Instagram blocked this because it looks like spam.',
    'Check the Instagram app for details. Wait, then change the post.',
  ),
  'instagram-spam-maybe-done': plain(
    'Instagram blocked this because it looks like spam.',
    "We're checking the account to find out whether it was published.",
  ),
  'instagram-daily-limit': plain(
    'This account has published as many posts in 24 hours as Instagram accepts.',
    "We'll try again every hour.",
  ),

  'threads-no-public-address': plain(
    'Threads downloads pictures and videos from this installation, which has no public https address.',
    'Ask your Rookery administrator to give it one. You can still publish posts with text only.',
  ),
  'threads-people-closed': plain(
    "Threads doesn't let apps search for people. Type the username after an @: Threads links it when the post is published.",
    '',
  ),
  'threads-links': plain('Threads accepts at most 5 different links in a post.', 'Remove some links.'),
  'threads-feature-missing': plain(
    "This account can't do that on Threads yet.",
    'Check in the Threads app whether the feature is turned on for the account.',
  ),
  'threads-audio': plain(
    "Threads couldn't use the audio of the video.",
    'Save the video with AAC audio of at most 48 kHz, then send it again.',
  ),
  'threads-video': plain("Threads couldn't use the video.", 'Save it as MP4 with H.264, then send it again.'),
  'threads-video-shape': plain(
    "Threads doesn't accept the shape of the video.",
    'Crop the video to a common shape, such as 9:16.',
  ),
  'threads-bit-rate': plain(
    'The bit rate of the video is higher than Threads accepts.',
    'Save it with at most 100 Mbit per second.',
  ),
  'threads-video-too-long': plain('The video is longer than Threads accepts.', 'Trim it to 5 minutes or less.'),
  'threads-audio-channels': plain(
    'The audio of the video has more channels than Threads accepts.',
    'Save it in stereo or mono.',
  ),
}
