/** How much a page holds, and how long things are, in characters. */
export const BIO = {
  name: 60,
  about: 300,
  label: 80,
  url: 2000,
  buttons: 50,
  posts: 60,
  slug: { min: 3, max: 30 },
  /** Days that an earlier address leads to its page, or stays free of others once its page is deleted. */
  slugDays: 90,
  /** Earlier addresses that a page may keep at the same time. */
  earlierSlugs: 5,
} as const
