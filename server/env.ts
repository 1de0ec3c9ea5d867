import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { appNamed } from '#contract/platforms/registry.ts'
import { appKeys, platformKeys, type AppKey, type PlatformKey } from '#contract/platforms/rules.ts'
import type { BucketSettings } from './objectStore/bucket.ts'
import { MailServer, Origin } from './settings.ts'

const flag = z
  .enum(['0', '1', 'true', 'false', ''])
  .default('')
  .transform((text) => text === '1' || text === 'true')
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )

const Variables = z.object({
  /** `npm start` sets it to production, `npm run dev` to development. */
  NODE_ENV: z.string().optional(),
  /** Where the app listens. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  /** The address to listen on. Loopback unless set: opening it to a network is a decision. */
  HOST: z.string().default('127.0.0.1'),
  /** The address that the outside reaches: links in mails, media that platforms pull, OAuth returns. */
  PUBLIC_URL: Origin.optional(),
  /** Another origin for short links, such as https://go.example. Only they're answered there. Unset: PUBLIC_URL. */
  SHORT_URL: Origin.optional(),
  /** Where everything is kept when no external database or store is named. */
  DATA_DIR: z.string().default('./data'),
  /** An external PostgreSQL 18; without it the embedded one is started. */
  DATABASE_URL: z.string().optional(),
  ROLE: z.enum(['web', 'worker', 'both']).default('both'),
  /** The mail server, such as smtp://user:password@mail.example:587. Unset: emails are written to DATA_DIR/outbox. */
  SMTP_URL: MailServer.optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'write it as a name and an address, such as Rookery <hello@rookery.example>',
    )
    .default('Rookery <rookery@localhost>'),
  /** The support address, such as for questions about payments. By default the sender of emails, if SMTP_URL is set. */
  SUPPORT_EMAIL: z.email().optional(),
  /** An OpenAI-compatible endpoint, such as https://api.example.com/v1, its key and the model to ask. Unset: no AI. */
  AI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  AI_API_KEY: z.string().optional(),
  AI_MODEL: z.string().optional(),
  /** Cloudflare Turnstile instead of the built-in human check: both keys, or neither. */
  TURNSTILE_SITE_KEY: z.string().optional(),
  TURNSTILE_SECRET_KEY: z.string().optional(),
  /** Proxies whose forwarded addresses are believed, as addresses or CIDR ranges. */
  TRUST_PROXY: list,
  /** Names, besides that of PUBLIC_URL, under which this installation is asked, such as inside a network. */
  ALLOWED_HOSTS: list,
  /** Connections and running requests of one client address. More are refused. */
  CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).default(500),
  /** 32 bytes in base64 that seal channel tokens; without it a 0600 file in DATA_DIR. */
  ENCRYPTION_KEY: z.string().optional(),
  /** Browsers are told to use https for all names below that of PUBLIC_URL as well: only where each of them has https. */
  HSTS_SUBDOMAINS: flag,
  /** `off` removes the service worker from people's browsers, should it ever do harm. */
  SERVICE_WORKER: z.enum(['on', 'off']).default('on'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** host:port pairs that may be reached although they are private. For development and tests. */
  OUTGOING_ALLOW: list,
  /**
   * The directory of accounts of the AT Protocol. Unset, it is the public one; with SIMULATED_CHANNELS the simulated
   * platform, which passes questions about real accounts on.
   */
  PLC_DIRECTORY: z.url({ protocol: /^https?$/ }).optional(),
  /** The video service of the AT Protocol network; `none` for a network without one, where videos are uploaded as other files are. */
  BLUESKY_VIDEO_SERVICE: z
    .union([z.literal('none'), z.url({ protocol: /^https$/ })], { error: 'an https address, or none' })
    .transform((text) => text.replace(/\/+$/, ''))
    .default('https://video.bsky.app'),
  /** Development: simulated channels may be connected. Refused in production and together with a public https address. */
  SIMULATED_CHANNELS: flag,
  /** Where the simulated platform answers, on loopback, while SIMULATED_CHANNELS is set. */
  SIMULATOR_PORT: z.coerce.number().int().min(1).max(65_535).default(4455),
  /**
   * The URL of the other platforms' simulators on this machine; only together with SIMULATED_CHANNELS. Adapters'
   * requests to platforms' hosts are sent there.
   */
  SIMULATED_PLATFORMS: z
    .url({ protocol: /^http$/, hostname: /^(?:localhost|127\.0\.0\.1)$/, error: 'an http address on this machine' })
    .transform((text) => text.replace(/\/+$/, ''))
    .optional(),
  /** `local` allows test payments also where others can reach the app; `none` turns payments off. Unset: test payments on loopback only. */
  PAYMENTS: z.enum(['local', 'none']).optional(),
  /** Paddle Billing: its API key, the secret of its notifications, the token that the overlay in the browser is opened with. */
  PADDLE_API_KEY: z.string().optional(),
  PADDLE_WEBHOOK_SECRET: z.string().optional(),
  PADDLE_CLIENT_TOKEN: z.string().optional(),
  PADDLE_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  /** The prices of Paddle's catalog, such as individual.monthly=pri_1,individual.monthly.addon=pri_2; of both plans and intervals. */
  PADDLE_PRICES: list,
  /** Where Paddle's API is answered instead of at Paddle. For tests, on this machine. */
  PADDLE_API: z
    .url({ protocol: /^http$/, hostname: /^(?:localhost|127\.0\.0\.1)$/, error: 'an http address on this machine' })
    .optional(),
  /**
   * An S3-compatible service that stores the files instead of DATA_DIR: its bucket, URL (by default Amazon S3), region
   * and keys (by default what the SDK finds on the machine), the prefix of every key, and whether the bucket is in the
   * path (the default if S3_ENDPOINT is set).
   */
  S3_BUCKET: z.string().min(1).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  S3_PREFIX: z
    .string()
    .regex(/^[\w.\-/]*$/, 'letters, digits, dots, dashes and slashes only')
    .default('')
    .transform((text) => text.replace(/^\/+|\/+$/g, ''))
    .transform((text) => (text === '' ? '' : `${text}/`)),
  S3_PATH_STYLE: z.enum(['0', '1', 'true', 'false', '']).optional(),
  /** Who issues invoices, as printed on them: lines separated by `|`, the name first. Unset: Rookery. */
  INVOICE_SELLER: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split('|')
        .map((line) => line.trim())
        .filter(Boolean),
    ),
  /**
   * Google's terms on derived metrics and longer storage, which its audit form lets an operator accept: with `accepted`, YouTube's
   * figures are added to those of other platforms and kept as long.
   */
  YOUTUBE_ANALYTICS_TERMS: z.enum(['', 'accepted']).default(''),
  /** Milliseconds between heartbeats of a worker; a silent one loses its posts after three. */
  HEARTBEAT_MS: z.coerce.number().int().min(50).default(5000),
})

export const PLC_DIRECTORY = 'https://plc.directory'

/**
 * An app registered at a platform, by APP_CLIENT_ID and APP_CLIENT_SECRET, such as FACEBOOK_CLIENT_ID or LINKEDIN_PAGES_CLIENT_ID, and
 * APP_SANDBOX where the platform has a sandbox.
 */
type AppInEnv = { clientId: string; clientSecret: string; sandbox?: boolean }
export type Env = z.output<typeof Variables> & {
  publicUrl: string
  /** What short links begin with. */ shortUrl: string
  plcDirectory: string
  /** Where people may write to, if anywhere. */ contact: string | null
  /** The object store, if one is configured. */ objectStore: BucketSettings | undefined
  apps: Partial<Record<AppKey, AppInEnv>>
  /** Platforms whose further terms on figures the operator has accepted. */ analyticsTerms: readonly PlatformKey[]
}

/** Where the simulators find the platforms' own API descriptions; `required` where a missing folder is an error. */
export const platformSpecs = () => ({ folder: process.env.PLATFORM_SPECS, required: process.env.CI === 'true' })

/** All variables of the environment, for a command that reads them itself. */
export const allVariables = (): Record<string, string | undefined> => process.env

/**
 * Reads the configuration, or throws one sentence per wrong variable. The only reader of process.env on the server.
 */
export function readEnv(variables: Record<string, string | undefined> = process.env): Env {
  const parsed = Variables.safeParse(variables)
  if (!parsed.success)
    throw new Error(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const env = parsed.data
  if (env.SIMULATED_CHANNELS && env.NODE_ENV === 'production')
    throw new Error(
      "SIMULATED_CHANNELS: simulated channels are for development and can't be used with NODE_ENV=production",
    )
  if (env.SIMULATED_CHANNELS && env.PUBLIC_URL?.startsWith('https:'))
    throw new Error("SIMULATED_CHANNELS: simulated channels can't be used with a public https URL")
  if (env.SIMULATED_PLATFORMS !== undefined && !env.SIMULATED_CHANNELS)
    throw new Error('SIMULATED_PLATFORMS: set SIMULATED_CHANNELS as well; neither can be used with a public https URL')
  if (env.AI_BASE_URL !== undefined && !env.AI_MODEL)
    throw new Error('AI_MODEL: set the model to request from AI_BASE_URL')
  if ((env.TURNSTILE_SITE_KEY === undefined) !== (env.TURNSTILE_SECRET_KEY === undefined))
    throw new Error('TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY: set both, or neither')
  const paddle = [env.PADDLE_API_KEY, env.PADDLE_WEBHOOK_SECRET, env.PADDLE_CLIENT_TOKEN]
  if (paddle.some(Boolean) && !paddle.every(Boolean))
    throw new Error('PADDLE_API_KEY, PADDLE_WEBHOOK_SECRET, PADDLE_CLIENT_TOKEN: set all three, or none')
  if (env.PADDLE_API_KEY && env.PAYMENTS !== undefined) throw new Error('PAYMENTS: leave it unset when you use Paddle')
  const publicUrl = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  return {
    ...env,
    OUTGOING_ALLOW: [
      ...env.OUTGOING_ALLOW,
      ...(env.SIMULATED_CHANNELS ? [`127.0.0.1:${env.SIMULATOR_PORT}`] : []),
      ...(env.SIMULATED_PLATFORMS === undefined ? [] : [hostAndPort(env.SIMULATED_PLATFORMS)]),
    ],
    apps: readApps(variables),
    analyticsTerms: platformKeys.filter((key) => isAccepted(platformFigures[key].terms.accepted, variables)),
    objectStore: readObjectStore(env),
    contact: env.SUPPORT_EMAIL ?? (env.SMTP_URL ? (/[^\s<>]+@[^\s<>]+/.exec(env.MAIL_FROM)?.[0] ?? null) : null),
    DATA_DIR: isAbsolute(env.DATA_DIR) ? env.DATA_DIR : resolve(env.DATA_DIR),
    plcDirectory:
      env.PLC_DIRECTORY ?? (env.SIMULATED_CHANNELS ? `http://127.0.0.1:${env.SIMULATOR_PORT}` : PLC_DIRECTORY),
    publicUrl,
    shortUrl: env.SHORT_URL ?? publicUrl,
  }
}

function readObjectStore(env: z.output<typeof Variables>): BucketSettings | undefined {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new Error('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both, or neither')
  if (bucket === undefined) {
    if (env.S3_ENDPOINT !== undefined || accessKeyId !== undefined)
      throw new Error('S3_BUCKET: set the bucket to store files in')
    return undefined
  }
  return {
    bucket,
    endpoint: env.S3_ENDPOINT,
    region: env.S3_REGION,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    prefix: env.S3_PREFIX,
    pathStyle: env.S3_PATH_STYLE ? ['1', 'true'].includes(env.S3_PATH_STYLE) : env.S3_ENDPOINT !== undefined,
  }
}

const isAccepted = (setting: string | undefined, variables: Record<string, string | undefined>): boolean =>
  setting !== undefined && variables[setting] === 'accepted'

/** The safe fetch knows addresses by host and port, also where the port goes without saying. */
function hostAndPort(address: string): string {
  const { hostname, port } = new URL(address)
  return `${hostname}:${port || '80'}`
}

function readApps(variables: Record<string, string | undefined>): Env['apps'] {
  const apps: Env['apps'] = {}
  for (const key of appKeys) {
    const [idName, secretName, sandboxName] = appVariables(key)
    const [clientId, clientSecret] = [variables[idName]?.trim(), variables[secretName]?.trim()]
    if (Boolean(clientId) !== Boolean(clientSecret)) throw new Error(`${idName}, ${secretName}: set both, or neither`)
    const sandbox = flag.safeParse(variables[sandboxName]?.trim())
    if (!sandbox.success) throw new Error(`${sandboxName}: set 1 or 0`)
    if (sandbox.data && !appNamed(key).setup?.sandbox) throw new Error(`${sandboxName}: this platform has no sandbox`)
    if (sandbox.data && !clientId) throw new Error(`${sandboxName}: set ${idName} and ${secretName} as well`)
    if (clientId && clientSecret) apps[key] = { clientId, clientSecret, ...(sandbox.data && { sandbox: true }) }
  }
  return apps
}

/** The variables that hold what the installation registered at a platform. */
const appVariables = (key: AppKey): readonly [string, string, string] => [
  `${key.toUpperCase()}_CLIENT_ID`,
  `${key.toUpperCase()}_CLIENT_SECRET`,
  `${key.toUpperCase()}_SANDBOX`,
]

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/

/** Listens on this machine only, at a local URL, and with no proxy in front that lets others in. */
export const isOnLoopback = ({ HOST, TRUST_PROXY, publicUrl }: Env): boolean =>
  loopback.test(HOST) && TRUST_PROXY.length === 0 && loopback.test(new URL(publicUrl).hostname)
