import { z } from 'zod'
import { about, Because, Name, plain } from './define.ts'

/* Why comments and messages of a channel aren't read, or late, and why they can't be answered. */
const THERE = 'You can reply on the platform itself.'
export const inbox = {
  'inbox-permission-missing': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't give us permission to read these conversations.`,
    'Reconnect the channel and keep all permissions on.',
  ),
  'figures-need-rights': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't give us permission to read this channel's analytics.`,
    'Reconnect the channel and keep all permissions on.',
  ),
  'inbox-quota-used-up': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't let us read more comments and messages right now.`,
    "We'll continue as soon as the platform allows it.",
  ),
  'inbox-item-gone': about(
    { platform: Name },
    ({ platform }) => `The message you're replying to is no longer on ${platform}.`,
    'Nothing was sent. Close the conversation.',
  ),
  'inbox-reply-unseen': about(
    { platform: Name },
    ({ platform }) =>
      `${platform} doesn't show us replies in this place, so we can't find out whether this one was sent.`,
    'Check there, then tell us whether it was sent.',
  ),
  'inbox-reply-closed': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't accept replies here.`,
    'Comments may be turned off, or this account may not comment.',
  ),
  'reply-window-over': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't accept a reply this long after the last message.`,
    THERE,
  ),
  'reply-not-possible': plain("You can't reply from here anymore.", THERE),
  'reply-too-late': about(
    { minutes: z.int(), because: Because.optional() },
    ({ minutes, because }, say) =>
      `We couldn't send this reply within ${minutes} minutes.${because ? ` ${say.sentence(because)}` : ''}`,
    ({ because }, say) => (because && say.advice(because)) || 'Check whether it still fits, then send it again.',
  ),
  'reply-unconfirmed': about(
    { platform: Name, because: Because },
    ({ platform, because }, say) => `${platform} didn't confirm whether the reply was sent. ${say.sentence(because)}`,
    "We're checking the conversation to find out. We won't send it again in the meantime.",
  ),
  'reply-unresolved': about(
    { platform: Name, because: Because.optional() },
    ({ platform, because }, say) =>
      `We couldn't find out whether the reply was sent on ${platform}.${because ? ` ${say.sentence(because)}` : ''}`,
    "Check the conversation there, then tell us whether it's there.",
  ),
  'reply-looks-the-same': plain(
    'The conversation has another reply with the same text.',
    'Check the conversation there, then tell us whether this one is there, too.',
  ),
  'reply-marked-unsent': plain(
    "Someone checked on the platform: this reply wasn't sent.",
    'Send it again, or withdraw it.',
  ),
  'reply-crashed': plain('Something went wrong in Rookery while it sent this reply.', 'Send it again.'),
  'inbox-change-crashed': plain('Something went wrong in Rookery while it changed this on the platform.', 'Try again.'),
  'inbox-change-unconfirmed': plain("We don't know whether this change reached the platform.", 'Try again.'),
  'inbox-spending-off': about(
    { platform: Name },
    ({ platform }) => `${platform} charges for reading, and no monthly limit is set.`,
    'An admin can set one in the organization settings under Inbox costs.',
  ),
  'inbox-spending-ended': about(
    { platform: Name },
    ({ platform }) => `${platform} charges for reading, and the plan has ended.`,
    "We'll continue within a day after an admin chooses a plan.",
  ),
  'inbox-spending-used-up': about(
    { platform: Name },
    ({ platform }) => `This month's limit for reading on ${platform} is used up.`,
    "We'll continue next month, or when an admin raises the limit in the organization settings.",
  ),
}
