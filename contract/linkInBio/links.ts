import { z } from 'zod'
import { BIO } from './limits.ts'

/*
 * Which links a public page may have. A page of strangers under our address is what phishing looks for, so a link is what it says it is:
 * one of four schemes, no sign-in in front of the host, and never an address of ours that leads on to another one.
 */

const schemes = ['http:', 'https:', 'mailto:', 'tel:'] as const

/** Why a text can't be a link, as a sentence; undefined if it can. */
function linkProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'Enter a full link, such as https://example.com'
  if (!schemes.some((scheme) => scheme === url.protocol)) return 'A link starts with https://, http://, mailto: or tel:'
  // as it's stored: letters outside of ASCII take up to nine there
  if (url.href.length > BIO.url) return 'This link is too long'
  if (url.username !== '' || url.password !== '') return "A link can't contain a user name or password"
  if (url.protocol === 'mailto:' && !/^[^\s@,?]+@[^\s@,?]+\.[^\s@,?]+$/.test(mailAddress(url)))
    return 'Enter an email address, such as mailto:hello@example.com'
  if (url.protocol === 'tel:' && !/^\+?[\d().\-\s]{3,30}$/.test(decoded(url.pathname)))
    return 'Enter a phone number, such as tel:+4930123456'
  if (isWeb(url) && !url.hostname.includes('.')) return 'Enter a full link, such as https://example.com'
  return undefined
}

/** A link as it's stored: as the browser will read it, so that nothing hides in it. */
export const BioUrl = z
  .string()
  .trim()
  .min(1, 'A link is required')
  .max(BIO.url, 'This link is too long')
  .meta({ format: 'uri' })
  .superRefine((text, context) => {
    const message = linkProblem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .transform((text) => new URL(text).href)

/** Whether a link leads on to somewhere else through us: `origins` are the installation's own. Such a link could hide where it goes. */
export function isOwnRedirect(link: string, origins: readonly string[]): boolean {
  const url = new URL(link)
  if (!isWeb(url) || !origins.some((origin) => hostOf(new URL(origin)) === hostOf(url))) return false
  return /^\/+(?:s|b|oauth|api)(?:\/|$)/i.test(decoded(url.pathname))
}

/** Whether clicks on it are counted: a mail or phone link opens its program without us. */
export const isCounted = (link: string): boolean => /^https?:/i.test(link)

/** The link of what a person typed: an address without its scheme gets https://. */
export function withScheme(text: string): string {
  const typed = text.trim()
  return /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/]+:\d+(?:\/|$)/.test(typed)
    ? typed
    : /^[^\s@]+\.[^\s@]{2,}/.test(typed)
      ? `https://${typed}`
      : typed
}

/** A dot at the end of a name leads to the same host. */
const hostOf = ({ hostname }: URL) => hostname.replace(/\.$/, '')
const isWeb = ({ protocol }: URL) => protocol === 'http:' || protocol === 'https:'
const mailAddress = (url: URL) => decoded(url.pathname)

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
