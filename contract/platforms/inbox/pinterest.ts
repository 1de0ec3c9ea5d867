import type { InboxRules } from '../inboxRules.ts'

// API v5: counts only
export const pinterestInbox: InboxRules = {
  kinds: {},
  closed: { all: "Pinterest doesn't let tools read comments or messages. You can reply to them on Pinterest." },
}
