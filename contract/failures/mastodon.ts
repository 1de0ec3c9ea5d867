import { z } from 'zod'
import { DoingCode, doings } from './calls.ts'
import { about, Name, plain, Quote } from './define.ts'

const Files = z.enum(['pictures', 'videos'])

/* Refusals of Mastodon's servers. `host` is the server, which people know by its name. */
export const mastodon = {
  'server-not-answering': about(
    { host: Name },
    ({ host }) => `${host} isn't answering right now.`,
    'Try again in a few minutes.',
  ),
  'server-limits-sign-ups': about(
    { host: Name, minutes: z.number() },
    ({ host }) => `${host} limits how often apps can sign up or sign in.`,
    ({ minutes }) => `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  ),
  'mastodon-no-server': about(
    { host: Name },
    ({ host }) => `No Mastodon server answers at ${host}.`,
    'Enter the server that you sign in at, such as mastodon.social.',
  ),
  'mastodon-no-new-apps': about(
    { host: Name },
    ({ host }) => `${host} doesn't accept new apps.`,
    'Ask the people who run that server whether apps can sign in.',
  ),
  'mastodon-bad-address': plain(
    "This isn't the name of a server.",
    'Enter the part after the last @ of your address, such as mastodon.social.',
  ),
  'mastodon-permission-missing': about(
    { host: Name, doing: DoingCode },
    ({ host, doing }) => `${host} didn't give us permission to ${doings[doing]}.`,
    'Reconnect the channel and agree to all permissions on its page.',
  ),
  'mastodon-account-closed': about(
    { host: Name, words: Quote },
    ({ host, words }) => `${host} has closed this account for now: ${words}`,
    ({ host }) => `Sign in at ${host}, follow its steps, then reconnect the channel.`,
  ),
  'mastodon-not-allowed': about(
    { host: Name },
    ({ host }) => `${host} doesn't allow this account to do that.`,
    ({ host }) => `Check the account at ${host} to see whether it is limited, then send the post again.`,
  ),
  'mastodon-text-too-long': plain(
    'The text is longer than this server accepts.',
    'Shorten the text or the content warning, which counts too.',
  ),
  'mastodon-empty': plain(
    "The server doesn't accept posts without text or files.",
    'Write something or attach a file.',
  ),
  'mastodon-too-many-files': plain('There are more files than this server accepts in a post.', 'Remove some files.'),
  'mastodon-mixed-files': plain(
    'The server accepts pictures or one video in a post, not both.',
    'Remove the pictures or the video.',
  ),
  'mastodon-file-type': plain(
    "The server can't use this type of file.",
    'Save pictures as JPEG or PNG and videos as MP4 with H.264, then send the post again.',
  ),
  'mastodon-reference-gone': plain(
    'Something that the post refers to no longer exists.',
    'Remove it, or add the post on Mastodon, and post again.',
  ),
  'mastodon-new-files-in-progress': about(
    { host: Name },
    ({ host }) => `${host} is still processing the new files.`,
    'Save the change again in a minute.',
  ),
  'mastodon-files-never-ready': about(
    { host: Name },
    ({ host }) => `${host} didn't finish processing the files.`,
    'Save the video as MP4 with H.264, then send it again.',
  ),
  'mastodon-file-count': about(
    { host: Name, most: z.number() },
    ({ host, most }) => `${host} accepts at most ${most} files in a post.`,
    'Remove some files.',
  ),
  'mastodon-file-kind': about(
    { host: Name, files: Files, type: z.string() },
    ({ host, files, type }) => `${host} doesn't accept ${files} of this type (${type}).`,
    'Save the file as another type, or remove it.',
  ),
  'mastodon-file-size': about(
    { host: Name, files: Files, megabytes: z.string() },
    ({ host, files, megabytes }) => `${host} accepts ${files} of at most ${megabytes} MB.`,
    'Make the file smaller or choose another one.',
  ),
  'mastodon-alt-text': about(
    { host: Name, most: z.number() },
    ({ host, most }) => `${host} accepts alternative text of at most ${most} characters.`,
    'Shorten the alternative text.',
  ),
}
