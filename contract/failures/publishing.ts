import { z } from 'zod'
import { problemSentence } from '../postProblems.ts'
import { about, Because, Name, plain, Quote } from './define.ts'

/* What keeps Rookery itself from publishing a post, and what it can't find out. */

/** How long after its time a post may still be published, in minutes. */
const Limit = z.int()
const NEW_TIME = 'Choose a new time, or send it now.'
const LOOK = "Check the account, then tell us here whether it's there, or send it again."

function duration(minutes: number): string {
  if (minutes % 60 === 0) return minutes === 60 ? '1 hour' : `${minutes / 60} hours`
  return `${minutes} minutes`
}
const inTime = (minutes: number): string =>
  `The post will be published then if that's within ${duration(minutes)} of its time.`

/** What has to be fixed before a late post can be sent. */
const fixes = { reconnect: 'Reconnect the channel. ', plan: 'Choose a plan. ', nothing: '' }

/** What a person does with an approved post that isn't accepted. */
const NextStep = z.enum(['time', 'edit', 'afterwards'])
const nextSteps = {
  time: 'Choose another time for the post.',
  edit: 'Edit the post. It will be sent for approval again.',
  afterwards: 'Then choose a time for the post, or send it now.',
}

/** Something that follows a post: its first comment, a further item of its thread, counted from the post, or its playlist entry. */
export const FollowUp = z.object({ kind: z.enum(['item', 'comment', 'playlist']), item: z.int().nullable() })
export type FollowUp = z.infer<typeof FollowUp>
export function followUpName({ kind, item }: FollowUp): string {
  if (kind === 'item') return `thread item ${(item ?? 0) + 1}`
  return kind === 'playlist' ? 'playlist entry' : 'first comment'
}

export const publishing = {
  // a due post waits
  'channel-signed-out': about(
    { handle: Name, platform: Name, minutes: Limit },
    ({ handle, platform }) => `${handle} is signed out of ${platform}.`,
    ({ minutes }) => `Reconnect the channel. ${inTime(minutes)}`,
  ),
  'channel-paused': about(
    { handle: Name, minutes: Limit },
    ({ handle }) => `${handle} is paused.`,
    ({ minutes }) => `Enable the channel. ${inTime(minutes)}`,
  ),
  'plan-ended': about(
    { minutes: Limit },
    () => "Your organization's plan has ended.",
    ({ minutes }) => `Choose a plan. ${inTime(minutes)}`,
  ),
  /** By an administrator, after a restore, or because the organization is being deleted. */
  'publishing-paused': about(
    { minutes: Limit },
    () => 'Publishing is paused right now.',
    ({ minutes }) =>
      `You don't have to do anything. The post will be published when publishing resumes, if that's within ${duration(minutes)} of its time.`,
  ),
  'campaign-disabled': about(
    { campaign: Name },
    ({ campaign }) => `The campaign ${campaign} is disabled.`,
    "Enable it. The post will be published at its time, or wait for you if that's past.",
  ),
  'quota-used-up': about(
    {
      platform: Name,
      of: z.enum(['share', 'app', 'server', 'account']),
      when: z.enum(['today', 'now']),
      suggestsOwnApp: z.boolean(),
    },
    ({ platform, of, when }) => {
      const time = when === 'today' ? 'today' : 'right now'
      return {
        share: `Your organization has used its share of what ${platform} accepts ${time} through an app that others use too.`,
        app: `${platform} doesn't accept more posts ${time} through the app that this channel is connected with.`,
        server: `This account's server doesn't accept more posts ${time}.`,
        account: `${platform} doesn't accept more posts from this account ${time}.`,
      }[of]
    },
    ({ suggestsOwnApp }) =>
      `We'll publish the post as soon as possible, within the limit of its channel.${suggestsOwnApp ? ' To get a quota of your own, add your own app in Platform setup.' : ''}`,
  ),
  'still-preparing': about(
    { platform: Name },
    ({ platform }) => `${platform} was still preparing it.`,
    "You don't have to do anything. It will be published as soon as that's done.",
  ),
  'post-unreadable': plain(
    "We couldn't read the files or the sign-in of this post.",
    "You don't have to do anything. We'll try again automatically.",
  ),

  // a post is late
  'too-late': about(
    { minutes: Limit, because: Because, fix: z.enum(['reconnect', 'plan', 'nothing']) },
    ({ minutes, because }, say) =>
      `${say.sentence(because)} It wasn't published because it was more than ${duration(minutes)} late.`,
    ({ fix }) => `${fixes[fix]}${NEW_TIME}`,
  ),
  'not-accepted-in-time': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't accept the post when we sent it.`,
    NEW_TIME,
  ),
  'not-running': plain("Rookery wasn't running at its time, or too many other posts were ahead of it.", NEW_TIME),
  'campaign-was-disabled': plain('Its campaign was disabled at its time.', NEW_TIME),
  'obstacle-gone': plain(
    'What kept it from being published has been fixed.',
    'Choose a time for the post, or send it now.',
  ),

  // an approved post waits for a person
  'time-passed-in-approval': plain('Its time passed while it waited for approval.', 'Choose a new one.'),
  'approved-but-not-accepted': about(
    { problem: z.unknown(), next: NextStep },
    ({ problem }) => problemSentence(problem),
    ({ next }) => nextSteps[next],
  ),
  'not-what-was-approved': plain(
    "This post isn't what was approved.",
    'Open it and save it, so that it is sent for approval again.',
  ),

  // nobody knows whether it was published
  unconfirmed: about(
    { platform: Name, because: Because },
    ({ platform, because }, say) =>
      `${platform} didn't confirm whether the post was published. ${say.sentence(because)}`,
    "We're checking the account to find out. We won't send it again in the meantime.",
  ),
  unresolved: about(
    { platform: Name, because: Because.optional() },
    ({ platform, because }, say) =>
      `We couldn't find out whether the post was published on ${platform}.${because ? ` ${say.sentence(because)}` : ''}`,
    ({ because }, say) => (because && say.advice(because)) || LOOK,
  ),
  'refused-as-repeat': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't accept it again because it already has the same, so it's probably there.`,
    LOOK,
  ),
  'maybe-published-before-restore': plain(
    'This database was restored from a backup or is a copy of another one. The post may have been published in the meantime.',
    LOOK,
  ),
  'given-up': plain(
    "We couldn't find out whether the post was published, and someone marked it as not published.",
    'Check the account before you send it again.',
  ),
  'adapter-crashed': plain(
    'Something went wrong in Rookery while it talked to the platform.',
    "You don't have to do anything. We'll check again automatically.",
  ),

  // under a live post
  unread: about(
    { platform: Name, because: Because.optional() },
    ({ platform, because }, say) =>
      `${platform} accepted the post, but we couldn't read it back. ${because ? say.sentence(because) : `${platform} doesn't show it yet.`}`,
    '',
  ),
  'channel-disconnected': about({ handle: Name }, ({ handle }) => `${handle} was disconnected.`, ''),
  'follow-up-failed': about(
    { followUp: FollowUp, because: Because },
    // the specification's words for a first comment, and the same for the others
    ({ followUp, because }, say) =>
      followUp.kind === 'comment'
        ? `Failed to create first comment: ${say.sentence(because)}`
        : `Failed to create ${followUpName(followUp)}: ${say.sentence(because)}`,
    '',
  ),
  'follow-up-unconfirmed': about(
    { platform: Name, because: Because.optional() },
    ({ platform, because }, say) =>
      `We couldn't find out whether ${platform} has it. ${because ? [say.sentence(because), say.advice(because)].filter(Boolean).join(' ') : "Check the post there, then tell us here whether it's there, or send it again."}`,
    '',
  ),
  'follow-up-given-up': plain('Someone marked it as not published.', ''),
  'follow-up-unknown': plain(
    'Rookery lost track of a follow-up of this post.',
    'Check the post, and add what is missing on the platform.',
  ),
  'edit-crashed': plain('Something went wrong in Rookery while it changed the post.', 'Save it again.'),
  'edit-unconfirmed': plain(
    "We don't know whether the last change to this post reached its platform. Save it again.",
    '',
  ),
  'edit-failed': about(
    { because: Because },
    ({ because }, say) =>
      `Your last change to this post didn't reach its platform. ${say.sentence(because)} Save it again.`,
    '',
  ),
  'deletion-crashed': plain('Something went wrong in Rookery while it deleted the post.', 'Try again.'),
  'deletion-unconfirmed': plain("We don't know whether this post was deleted on its platform. Delete it again.", ''),
  'deletion-failed': about(
    { because: Because },
    ({ because }, say) => `We couldn't delete this post on its platform. ${say.sentence(because)} Delete it again.`,
    '',
  ),
}

/** Written before refusals had codes: `words` is a sentence. Nothing new is written with it. */
export const formerly = {
  'approved-but-blocked': about(
    { words: Quote, next: NextStep },
    ({ words }) => words,
    ({ next }) => nextSteps[next],
  ),
}
