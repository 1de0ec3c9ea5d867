import { about, Name } from './define.ts'

/* Why comments and messages of a channel aren't read, or late. */
export const inbox = {
  'inbox-permission-missing': about(
    { platform: Name },
    ({ platform }) => `${platform} didn't give us permission to read these conversations.`,
    'Reconnect the channel and allow everything that we ask for.',
  ),
  'inbox-quota-used-up': about(
    { platform: Name },
    ({ platform }) => `${platform} doesn't let us read more comments and messages right now.`,
    "We'll continue as soon as the platform allows it.",
  ),
}
