import { z } from 'zod'
import { BIO } from './limits.ts'

/** Names that would look like the installation itself, or may become addresses of its own below /b. */
const reserved: ReadonlySet<string> = new Set(
  `about abuse account accounts admin administrator api app apps assets auth b bio billing blog calendar careers contact
  dashboard docs download editor example favicon feed help home inbox index info invite legal link links login logout
  mail me media new news null oauth official owner page pages password payment payments post posts press pricing privacy
  profile public register report reports robots root rookery rss s search secure security settings short shop signin
  signup site sitemap static status store support system team terms test undefined update user users verify webhook
  webhooks well-known www`.split(/\s+/),
)

/** The last part of a page's address, `/b/{slug}`. */
export const Slug = z
  .string()
  .trim()
  .toLowerCase()
  .min(BIO.slug.min, `Use at least ${BIO.slug.min} characters`)
  .max(BIO.slug.max, `Use at most ${BIO.slug.max} characters`)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use letters from a to z, digits, and single hyphens between them')
  .refine((slug) => !reserved.has(slug), 'This address is reserved. Choose another one.')

/** The path of a page. */
export const bioPath = (slug: string): string => `/b/${slug}`
