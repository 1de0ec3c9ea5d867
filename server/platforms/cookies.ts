/** The most that is kept of one exchange's cookies. */
const MOST = 50
const LONGEST = 4096

type Cookie = { name: string; value: string; domain: string; withHosts: boolean; secure: boolean }

/**
 * The cookies of one exchange, in memory only (RFC 6265): each goes back to the host that set it or, if it says so, to the
 * hosts of its own domain.
 */
export function createCookieJar() {
  const cookies: Cookie[] = []
  return {
    /** Keeps what the response of a URL sets; several `set-cookie` headers come joined with commas. */
    keep(url: string, header: string | undefined): void {
      if (!header) return
      const { hostname, protocol } = new URL(url)
      // a comma inside a date isn't followed by a name and =
      for (const one of header.split(/,(?=\s*[^\s;,=]+=)/).slice(0, MOST)) {
        const cookie = cookieOf(one, hostname)
        if (!cookie || (cookie.secure && protocol !== 'https:')) continue
        const known = cookies.findIndex(({ name, domain }) => name === cookie.name && domain === cookie.domain)
        if (known !== -1) cookies.splice(known, 1)
        if (cookies.length < MOST) cookies.push(cookie)
      }
    },
    /** The header for a request of a URL; empty if it has none. */
    of(url: string): string {
      const { hostname, protocol } = new URL(url)
      return cookies
        .filter(({ domain, withHosts, secure }) => {
          const isOwn = hostname === domain || (withHosts && hostname.endsWith(`.${domain}`))
          return isOwn && (!secure || protocol === 'https:')
        })
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')
    },
  }
}

function cookieOf(written: string, hostname: string): Cookie | undefined {
  const [pair = '', ...attributes] = written.split(';').map((part) => part.trim())
  const name = pair.slice(0, pair.indexOf('='))
  const value = pair.slice(pair.indexOf('=') + 1)
  // what a header can't have
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[!-~]*$/.test(value) || pair.length > LONGEST) return undefined
  const has = (wanted: string) => attributes.find((one) => one.toLowerCase().split('=')[0] === wanted)
  const domain = has('domain')?.split('=')[1]?.replace(/^\./, '').toLowerCase()
  const secure = has('secure') !== undefined
  if (!domain || domain === hostname) return { name, value, domain: hostname, withHosts: domain !== undefined, secure }
  // a whole top-level domain is no site
  return domain.includes('.') && hostname.endsWith(`.${domain}`)
    ? { name, value, domain, withHosts: true, secure }
    : undefined
}
