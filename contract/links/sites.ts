/** The platforms' own sites: a link to a post or a profile there leads nowhere that counts our tags. */
const platformSites = [
  'facebook.com',
  'fb.com',
  'fb.me',
  'fb.watch',
  'm.me',
  'messenger.com',
  'whatsapp.com',
  'wa.me',
  'instagram.com',
  'instagr.am',
  'ig.me',
  'threads.com',
  'threads.net',
  'linkedin.com',
  'lnkd.in',
  'x.com',
  'twitter.com',
  't.co',
  'youtube.com',
  'youtube-nocookie.com',
  'youtu.be',
  'pinterest.com',
  'pin.it',
  'tiktok.com',
  'bsky.app',
  'bsky.social',
  'mastodon.social',
  'mastodon.online',
  'maps.google.com',
  'business.google.com',
  'maps.app.goo.gl',
  'g.page',
] as const

/** Pinterest has a site per country. */
const countrySites = /(?:^|\.)pinterest\.(?:[a-z]{2}|com?\.[a-z]{2})$/

/** Whether a host is one of a platform's own. */
export function isPlatformSite(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return platformSites.some((site) => name === site || name.endsWith(`.${site}`)) || countrySites.test(name)
}
