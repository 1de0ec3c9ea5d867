import type { InboxRules } from '../inboxRules.ts'

// YouTube Data API: commentThreads, comments (setModerationStatus); Developer Policies: refresh or delete after 30 days, and no
// derived data unless Google has agreed
export const youtubeInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Comments',
      reply: { limit: { unit: 'characters', max: 10_000 }, pictures: 0, edit: true, delete: true },
      reactions: [],
      hide: true,
      hidingHolds: true,
      delete: false,
      closed: {
        react: "YouTube doesn't let tools like comments.",
        delete: "YouTube doesn't let tools delete comments of others. You can hide them.",
      },
      needs: ['https://www.googleapis.com/auth/youtube.force-ssl'],
    },
  },
  closed: {
    message: 'YouTube has no messages.',
    mention: "YouTube doesn't let tools read mentions.",
    review: 'YouTube has no reviews.',
  },
  keep: { textHours: 720, personHours: 720 },
  noModel: true,
}
