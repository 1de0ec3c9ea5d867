import type { Account } from './accounts.ts'

/** Posts that a simulated account had before it was first named, unless the seed made it; handles that start with `quiet` have none. */
const words = [
  'New on the shelf this morning: rye with walnuts. Gone by ten, as usual.',
  'Behind the scenes: the first oven goes on at four, the second when the kettle boils.',
  'A regular asked for a loaf that keeps for a week. We asked what a week is.',
  'Saturday rule: whoever comes in the rain gets the corner piece.',
  'We changed our flour and told nobody. Everybody noticed. Thank you.',
  'Small shop, long table. Sit down, the coffee finds you.',
]

/** These posts as records of a repository, newest first. */
export function pastOf(account: Account): { rkey: string; record: Record<string, unknown> }[] {
  if (account.handle.startsWith('quiet')) return []
  return words.map((text, i) => ({
    rkey: `past${words.length - i}`,
    record: { $type: 'app.bsky.feed.post', text, createdAt: new Date(Date.UTC(2026, 9, 20 - i, 8)).toISOString() },
  }))
}
