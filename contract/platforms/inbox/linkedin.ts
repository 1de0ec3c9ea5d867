import type { InboxRules } from '../inboxRules.ts'

// Community Management API: socialActions, reactions, organizationalEntityNotifications; Data Storage Requirements: member
// activity 48 hours, members' profiles 24 hours; Marketing API Terms: no member data to third parties
export const linkedinInbox: InboxRules = {
  kinds: {
    comment: {
      label: 'Comments',
      reply: { limit: { unit: 'characters', max: 1250 }, pictures: 0, edit: true, delete: true },
      reactions: ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'],
      hide: false,
      delete: true,
      closed: { hide: "LinkedIn can't hide comments. You can delete them." },
      needs: ['rw_organization_admin', 'r_organization_social_feed', 'w_organization_social_feed'],
    },
    mention: {
      label: 'Mentions',
      reply: { limit: { unit: 'characters', max: 1250 }, pictures: 0, edit: true, delete: true },
      reactions: ['LIKE', 'PRAISE', 'EMPATHY', 'INTEREST', 'APPRECIATION', 'ENTERTAINMENT'],
      hide: false,
      delete: false,
      closed: {
        hide: "LinkedIn can't hide posts of others.",
        delete: 'Only its author can delete this post on LinkedIn.',
      },
      needs: ['rw_organization_admin', 'r_organization_social_feed', 'w_organization_social_feed'],
    },
  },
  closed: { message: "LinkedIn doesn't let tools read messages.", review: 'LinkedIn has no reviews.' },
  keep: { textHours: 48, personHours: 24 },
  noExport: true,
  noModel: true,
}
