import { lookup } from 'node:dns/promises'
import { connect } from 'node:tls'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { isOnLoopback, type Env } from '../env.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning, problem } = about('Address')

/** Milliseconds that PUBLIC_URL has to answer. */
const PATIENCE = 10_000
/** A certificate that ends within this many days isn't renewed by itself, it seems. */
const RENEWED = 14
/** What uploads send at once, and a bit: a proxy has to let it pass. */
const PIECE = 5_500_000
const DAY = 86_400_000

/** Whether the app answers at PUBLIC_URL, with a certificate that lasts, and whether the way there lets uploads pass. */
export async function lookAtAddress(env: Env, clock: Clock): Promise<Finding[]> {
  const { publicUrl } = env
  if (env.PUBLIC_URL === undefined || isOnLoopback(env))
    return [
      warning(
        `${publicUrl} is for this machine only.`,
        'For others, set PUBLIC_URL to the https address that your proxy serves: Instagram, Threads and others fetch files from there.',
      ),
    ]
  const { protocol, hostname } = new URL(publicUrl)
  const named = await lookup(hostname.replaceAll(/[[\]]/g, '')).catch(() => undefined)
  if (!named) return [problem(`The name ${hostname} leads nowhere.`, 'Add a DNS record for it, or correct PUBLIC_URL.')]
  const answer = await ask(`${publicUrl}/healthz`)
  if (answer.kind !== 'ours') return [problem(`${publicUrl} ${answer.why}`, answer.todo)]
  const found = protocol === 'https:' ? await lookAtTls(env, clock) : [unencrypted(publicUrl)]
  found.push(...(await lookAtUploads(publicUrl)))
  if (found.length === 0) found.push(ok(`Rookery answers at ${publicUrl}.`))
  return found
}

const unencrypted = (publicUrl: string): Finding =>
  warning(
    `${publicUrl} isn't encrypted.`,
    'Put a proxy with https in front (Caddy does it by itself) and set PUBLIC_URL to https: browsers refuse passkeys and the human check without, and platforms refuse such addresses.',
  )

type Answer = { kind: 'ours' } | { kind: 'other'; why: string; todo: string }
const Health = z.object({ status: z.literal('ok') })

async function ask(url: string): Promise<Answer> {
  const other = (why: string, todo: string): Answer => ({ kind: 'other', why, todo })
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
    if (response.status >= 300 && response.status < 400)
      return other(
        `leads on to ${response.headers.get('location') ?? 'somewhere else'}.`,
        'Set PUBLIC_URL to the address that people end at.',
      )
    const text = await response.text()
    if (response.ok && Health.safeParse(parsed(text)).success) return { kind: 'ours' }
    return response.status === 502 || response.status === 503 || response.status === 504
      ? other(
          `answers ${response.status}: its proxy doesn't reach Rookery.`,
          'Start the app, and check the address and the port that the proxy passes requests to (HOST, PORT).',
        )
      : other(
          `is answered by something else (${response.status}).`,
          'Check that the name leads to this installation, and that its proxy passes all paths on.',
        )
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const said = cause instanceof Error ? cause.message : String(cause)
    if (/certificate|self-signed|altname/i.test(said))
      return other(`has a certificate that browsers refuse: ${said}.`, 'Renew it, and let it name this host.')
    return other(
      error instanceof Error && error.name === 'TimeoutError'
        ? `doesn't answer within ${PATIENCE / 1000} s.`
        : `can't be reached: ${said}.`,
      'Start the app and its proxy, and check DNS and the firewall. Where this machine may not reach its own public address, check it from another one.',
    )
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function lookAtTls({ publicUrl }: Pick<Env, 'publicUrl'>, clock: Clock): Promise<Finding[]> {
  const { hostname, port } = new URL(publicUrl)
  const ends = await certificateEnds(hostname, Number(port || 443))
  if (ends === undefined) return []
  const days = Math.floor((ends.getTime() - clock.now().getTime()) / DAY)
  return days < RENEWED
    ? [warning(`The certificate of ${hostname} ends in ${days} days.`, 'Check what should renew it.')]
    : []
}

function certificateEnds(host: string, port: number): Promise<Date | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, servername: host, timeout: PATIENCE }, () => {
      const { valid_to: until } = socket.getPeerCertificate()
      socket.destroy()
      resolve(until ? new Date(until) : undefined)
    })
    const none = () => {
      socket.destroy()
      resolve(undefined)
    }
    socket.on('error', none).on('timeout', none)
  })
}

/** Sends as much as an upload's piece: the app answers that in its own format, and a proxy that refuses it in another. */
async function lookAtUploads(publicUrl: string): Promise<Finding[]> {
  const response = await fetch(`${publicUrl}/api/public/address`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(PIECE),
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => undefined)
  await response?.body?.cancel()
  // the app's own refusals are problem details
  const isOurs = response?.headers.get('content-type')?.startsWith('application/problem+json') ?? true
  return response?.status === 413 && !isOurs
    ? [
        warning(
          'The proxy in front refuses uploads of 5 MB.',
          'Let it pass 8 MB: client_max_body_size 8m in nginx. Until then, uploads are sent in smaller pieces, which takes longer.',
        ),
      ]
    : []
}
