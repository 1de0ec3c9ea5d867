import { about, Name } from './define.ts'

/* Why comments and messages of a channel aren't read, or late, and why they can't be answered. */
export const inbox = {
  'inbox-permission-missing': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't give us permission to read these conversations.`,
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
  'inbox-reply-closed': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't accept replies here.`,
    'Comments may be turned off, or this account may not comment.',
  ),
}
