import { z } from 'zod'
import { about, Name, plain, Quote } from './define.ts'

const NEW_PASSWORD =
  'create a new app password in the Bluesky app under Settings > Privacy and security > App passwords'

/* Refusals of Bluesky, its servers and its video service. */
export const bluesky = {
  'bluesky-account-taken-down': plain(
    'Bluesky has taken this account down.',
    'Open the Bluesky app to see why. Reconnect the channel once the account is back.',
  ),
  'bluesky-account-suspended': plain(
    'Bluesky has suspended this account.',
    'Open the Bluesky app to see why. Reconnect the channel once the account is back.',
  ),
  'bluesky-account-deactivated': plain(
    'This account is deactivated on Bluesky.',
    'Reactivate it in the settings of the Bluesky app, then reconnect the channel.',
  ),
  'bluesky-account-moved': plain(
    'This account no longer exists on its server.',
    'If it has moved to another server, reconnect it with the address of that server.',
  ),
  'bluesky-account-inactive': about(
    { status: Name },
    ({ status }) => `Bluesky says that this account is ${status}.`,
    'Open the Bluesky app to see why, and connect the account once it is back.',
  ),
  'bluesky-sign-in-refused': plain(
    "You've been signed out of Bluesky.",
    'Reconnect the channel with a new app password.',
  ),
  'bluesky-app-password-refused': plain(
    "You've been signed out of Bluesky. The app password may have been deleted.",
    'Reconnect the channel with a new app password.',
  ),
  'bluesky-chat-not-allowed': plain(
    "This sign-in doesn't let us read your Bluesky chat.",
    'Reconnect the channel. An app password needs access to your direct messages.',
  ),
  'bluesky-permission-missing': plain(
    "Bluesky didn't give us permission to do this for the account.",
    'Reconnect the channel and agree to the permissions on its page.',
  ),
  'bluesky-server-not-public': plain(
    "We can't reach this account's server because its address isn't public.",
    'Reconnect the channel with the correct address of its server.',
  ),
  'bluesky-server-unreachable': plain("We couldn't reach this account's server.", 'retry'),
  'bluesky-directory-unreachable': plain(
    "We couldn't reach the directory of Bluesky accounts.",
    'Try again in a moment.',
  ),
  'bluesky-account-unknown': plain(
    "The directory of Bluesky accounts doesn't know this account.",
    'Check the handle and the address of the server.',
  ),
  'bluesky-file-too-large': about(
    { file: z.enum(['picture', 'video', 'card-picture']), megabytes: z.string(), most: z.number() },
    ({ file, megabytes, most }) =>
      `${file === 'card-picture' ? 'The picture of the link card' : `The ${file}`} is ${megabytes} MB. Bluesky accepts up to ${most} MB.`,
    'Make it smaller or choose another one.',
  ),
  'bluesky-posts-hidden': plain(
    "Bluesky doesn't show the posts of this account.",
    'Look at the account in the Bluesky app, then reconnect the channel.',
  ),
  'bluesky-no-people-search': plain("This account's server can't search for people. Type the whole handle.", ''),

  // connecting
  'bluesky-bad-address': plain(
    "This isn't the address of a server.",
    'Enter an address that begins with https://, or leave it empty for bsky.social.',
  ),
  'bluesky-own-address-not-public': plain(
    "The address in this account's name isn't public.",
    'Connect an account whose server can be reached from here.',
  ),
  'bluesky-account-without-server': plain(
    "This account doesn't list a server of its own.",
    'Check the account in the Bluesky app.',
  ),
  'bluesky-answered-for-other': plain(
    "This account's server answered for another account.",
    'Check the account in the Bluesky app.',
  ),
  'bluesky-other-sign-in-server': about(
    { host: Name, server: Name },
    ({ host, server }) => `${host} doesn't sign in the accounts of ${server}.`,
    "Sign in at this account's server, and make sure that you trust the other one.",
  ),
  'bluesky-sign-in-incomplete': about(
    { host: Name },
    ({ host }) => `${host} didn't tell us whose account this is, or didn't give us enough permissions.`,
    'Connect with an app password instead.',
  ),
  'bluesky-no-sign-in-description': about(
    { host: Name },
    ({ host }) => `${host} doesn't describe how to sign in.`,
    'Connect with an app password instead.',
  ),
  'bluesky-nobody': about(
    { name: Name },
    ({ name }) => `There's no Bluesky account or server named ${name}.`,
    'Enter a handle such as name.bsky.social, or the address of a server.',
  ),
  'bluesky-other-server': about(
    { host: Name, server: Name },
    ({ host }) => `${host} isn't the server of this account.`,
    ({ server, host }) =>
      `Enter ${server}, which the directory of Bluesky accounts lists, and make sure that you trust ${host}.`,
  ),
  'bluesky-address-not-public': about(
    { host: Name },
    ({ host }) => `${host} isn't a public address.`,
    'Enter the public address of your server, or leave it empty for bsky.social.',
  ),
  'bluesky-no-server': about(
    { host: Name },
    ({ host }) => `There's no Bluesky server at ${host}.`,
    'Check the address, or leave it empty for bsky.social.',
  ),
  'bluesky-no-sign-in-page': about(
    { host: Name },
    ({ host }) => `There's no Bluesky server at ${host} with a sign-in page of its own.`,
    'Check the address, or connect with an app password.',
  ),
  'bluesky-main-password': plain(
    'This is the main password of an account that asks for a code by email.',
    'Create an app password in the Bluesky app under Settings > Privacy and security > App passwords, and use that.',
  ),
  'bluesky-wrong-password': about(
    { host: Name },
    ({ host }) => `${host} doesn't know this handle with this app password.`,
    `Check both, or ${NEW_PASSWORD}. If the account is on its own server, enter the address of that server.`,
  ),
  'bluesky-handle-invalid': about(
    { host: Name },
    ({ host }) => `${host} didn't understand the handle.`,
    'Enter the full handle, such as name.bsky.social.',
  ),
  'bluesky-unknown-answer': about(
    { host: Name },
    ({ host }) => `${host} sent an answer that we don't understand.`,
    'Start again, or connect with an app password.',
  ),
  'bluesky-sign-in-rejected': about(
    { host: Name, error: z.string().optional() },
    ({ host, error }) => `${host} didn't let us sign in${error === undefined ? '' : ` (${error})`}.`,
    'Start again, or connect with an app password.',
  ),

  // videos
  'bluesky-email-unconfirmed': plain(
    "This account can't upload videos because its email address isn't confirmed on Bluesky.",
    'Confirm it in the Bluesky app under Settings > Account. Then send the post again.',
  ),
  'bluesky-video-unplayable': about(
    { words: Quote.optional() },
    ({ words }) => `Bluesky can't play this video${words === undefined ? '.' : `: ${words}`}`,
    'Save it as MP4 with H.264 video and AAC audio, then send the post again.',
  ),
  'bluesky-video-too-large': plain(
    "The converted video is larger than this account's server accepts.",
    'Make it smaller or choose another one.',
  ),
  'bluesky-video-limit': about(
    { of: z.enum(['videos', 'megabytes']) },
    ({ of }) => `This account has no ${of === 'videos' ? 'videos' : 'megabytes of video'} left on Bluesky today.`,
    'Send the post again tomorrow, or post it without the video.',
  ),
  'bluesky-video-failed': about(
    { words: Quote.optional() },
    ({ words }) => `Bluesky didn't process this video${words === undefined ? '.' : `: ${words}`}`,
    'Send the post again later, or choose another video.',
  ),
  'bluesky-video-service-unreachable': plain("We couldn't reach Bluesky's video service.", 'retry'),
  'bluesky-video-service-answer-lost': plain("We didn't get an answer from Bluesky's video service.", 'retry'),
  'bluesky-video-service-slow': plain("Bluesky's video service asked us to slow down.", 'slow'),
  'bluesky-video-service-trouble': plain("Bluesky's video service has a problem on its side.", 'retry'),
}
