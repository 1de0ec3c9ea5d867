import { request } from 'node:http'
import { z } from 'zod'
import type { TestAccount } from './startPds.ts'

const API = '/@atproto/oauth-provider/~api'
const SignedIn = z.object({ ephemeralToken: z.string().optional() })
const Redirect = z.object({ url: z.string() })

/**
 * What a person does on the page of the Bluesky server, by the calls that its own page makes: signs in, and says yes or
 * no. Returns the address that the browser is sent back to.
 */
export async function authorize(page: string, account: TestAccount, say: 'yes' | 'no' = 'yes'): Promise<URL> {
  const { origin } = new URL(page)
  const browser = new Browser(origin, page)
  await browser.open()
  const session = SignedIn.parse(
    await browser.post('/sign-in', {
      locale: 'en',
      username: account.handle,
      password: account.password,
      remember: false,
    }),
  )
  const answer =
    say === 'yes'
      ? await browser.post('/consent', { did: account.did }, session.ephemeralToken)
      : await browser.post('/reject', {})
  // the server's own redirect page only passes these on
  const passed = new URL(Redirect.parse(answer).url)
  const back = new URL(passed.searchParams.get('redirect_uri') ?? '')
  for (const [name, value] of passed.searchParams) if (!name.startsWith('redirect_')) back.searchParams.set(name, value)
  return back
}

/** The headers and cookies of a browser: the server checks that its page is the one that calls. */
class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #origin: string
  readonly #page: string

  constructor(origin: string, page: string) {
    this.#origin = origin
    this.#page = page
  }

  async open(): Promise<void> {
    const { status, text } = await this.#send('GET', this.#page, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
      accept: 'text/html',
    })
    if (status !== 200) throw new Error(`The page of the server answered ${status}: ${text.slice(0, 500)}`)
  }

  async post(endpoint: string, body: unknown, bearer?: string): Promise<unknown> {
    const headers = {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'same-origin',
      'sec-fetch-dest': 'empty',
      origin: this.#origin,
      referer: this.#page,
      'content-type': 'application/json',
      'x-csrf-token': this.#cookies.get('csrf-token') ?? '',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    }
    const { status, text } = await this.#send('POST', `${this.#origin}${API}${endpoint}`, headers, JSON.stringify(body))
    if (status !== 200) throw new Error(`${endpoint} answered ${status}: ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }

  #send(
    method: string,
    url: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const call = request(
        url,
        { method, headers: { ...headers, 'user-agent': 'Mozilla/5.0', ...(cookie && { cookie }) } },
        (answer) => {
          for (const line of answer.headers['set-cookie'] ?? []) {
            const [pair = ''] = line.split(';')
            this.#cookies.set(pair.slice(0, pair.indexOf('=')), decodeURIComponent(pair.slice(pair.indexOf('=') + 1)))
          }
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  }
}
