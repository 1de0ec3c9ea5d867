import type { InboxRules } from '../inboxRules.ts'

// Content Posting and Display API: counts only. Comments are for approved partners of its Business API
export const tiktokInbox: InboxRules = {
  kinds: {},
  closed: { all: "TikTok doesn't let tools read comments or messages. You can reply to them in TikTok." },
}
