import { z } from 'zod'

/* Settings that are addresses, checked when the app starts: a mistake in one would otherwise show with the first email or link. */

const ORIGIN = 'write it as scheme and name alone, such as https://rookery.example'

/**
 * The origin that an address names (RFC 6454): lower case, without its usual port. Refuses what the app can't be served
 * below: a path, a user, a query or a fragment.
 */
export const Origin = z.string().transform((text, context) => {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  const problem =
    url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === ''
      ? `this isn't a web address: ${ORIGIN}`
      : url.pathname !== '/'
        ? `an address can't have a path here, because the app is served at the root of its name: ${ORIGIN}`
        : url.username !== '' || url.password !== ''
          ? `an address can't have a user or a password here: ${ORIGIN}`
          : url.search !== '' || url.hash !== ''
            ? `an address can't have anything after its name here: ${ORIGIN}`
            : undefined
  if (problem !== undefined || url === undefined) {
    context.addIssue({ code: 'custom', message: problem ?? ORIGIN })
    return z.NEVER
  }
  return url.origin
})

const MAIL_SERVER =
  'write it as smtp://user:password@mail.example:587, or smtps:// where TLS begins at once (port 465). In the user and the password, encode everything but letters, digits, dots, dashes and underscores: p@ss#1 is p%40ss%231'

/** The URL of a mail server, as nodemailer reads it. Problems never repeat it: it holds a password. */
export const MailServer = z.string().transform((text, context) => {
  const problem = problemOf(text.trim())
  if (problem === undefined) return text.trim()
  context.addIssue({ code: 'custom', message: `${problem}: ${MAIL_SERVER}` })
  return z.NEVER
})

function problemOf(text: string): string | undefined {
  if (!URL.canParse(text)) return "this isn't the URL of a mail server, or a character in it has to be encoded"
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return `a mail server has smtp:// or smtps://, not ${protocol}//`
  // a password with / ? or # ends early, and the rest of it is taken for something else
  if (hostname === '' || !/^\/?$/.test(pathname) || hash !== '' || search.includes('@'))
    return 'the name of the mail server is missing, or a character before it has to be encoded'
  if (!isEncoded(username) || !isEncoded(password)) return 'a % in the user or the password has to be encoded as %25'
  return username === '' && password !== '' ? 'there is a password without a user' : undefined
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
