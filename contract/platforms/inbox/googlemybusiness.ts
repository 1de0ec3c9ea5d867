import type { InboxRules } from '../inboxRules.ts'

// My Business API v4: reviews, updateReply (replaces the reply before), deleteReply
export const googlemybusinessInbox: InboxRules = {
  kinds: {
    review: {
      label: 'Reviews',
      reply: { limit: { unit: 'utf8bytes', max: 4096 }, pictures: 0, mostPerItem: 1, edit: true, delete: true },
      reactions: [],
      hide: false,
      delete: false,
      closed: {
        react: "Google doesn't let businesses react to reviews.",
        hide: "Google can't hide reviews. Report a review in Google Maps if it breaks the rules.",
        delete: 'Only its author can delete a review. Report it in Google Maps if it breaks the rules.',
      },
      needs: ['https://www.googleapis.com/auth/business.manage'],
    },
  },
  closed: {
    comment: 'Google Business Profile has no comments.',
    message: 'Google ended chat for businesses.',
    mention: 'Google Business Profile has no mentions.',
  },
}
