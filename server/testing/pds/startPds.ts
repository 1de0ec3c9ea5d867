import { execFile, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from '../freePort.ts'

export type TestAccount = {
  did: string
  handle: string
  email: string
  password: string
  appPassword: string
  /** A token of the whole account, as the main password opens. */ accessJwt: string
}

export type TestPds = Awaited<ReturnType<typeof startPds>>

const Ready = z.object({ directory: z.string() })
const Created = z.object({ did: z.string(), handle: z.string(), accessJwt: z.string() })
const AppPassword = z.object({ password: z.string() })
const Strong = z.object({ uri: z.string(), cid: z.string() })
const Records = z.object({
  records: z.array(z.object({ uri: z.string(), cid: z.string(), value: z.record(z.string(), z.unknown()) })),
})

let shared: Promise<TestPds> | undefined
/**
 * A server for all files of this process, without options: each test makes accounts of its own. It ends with the process,
 * and nobody else stops it.
 */
export const sharedPds = (): Promise<TestPds> =>
  (shared ??= startPds().then((pds) => {
    pds.letGo()
    return pds
  }))

/**
 * Starts the real Bluesky server (`@atproto/pds`) with an identity directory in memory, on loopback, in a process of
 * its own that ends with this one. Without `appView` and `network` there are accounts, sessions, records and files, but no
 * feeds, threads and notifications.
 * Needs `node server/testing/pds/install.js`, which `npm test` runs. Ready in about 3 seconds.
 */
export async function startPds(
  options: {
    /** Real rate limits, off unless a test is about them. */ rateLimits?: boolean
    /** The address of what counts the network's posts, which the server asks in the name of its accounts. */ appView?: string
    /** The real app view (`@atproto/bsky`) beside it, on an empty database: its address, and a free schema. Ready in about 6 seconds. */ network?: {
      database: string
    }
  } = {},
) {
  if (!existsSync(join(import.meta.dirname, 'node_modules', '@atproto', 'pds')))
    throw new Error('The Bluesky server is not installed: node server/testing/pds/install.js')
  const dataDir = mkdtempSync(join(tmpdir(), 'rookery-pds-'))
  const jwtSecret = randomBytes(16).toString('hex')
  const adminPassword = randomBytes(16).toString('hex')
  const port = await freePort()
  const url = `http://localhost:${port}`
  const settings = {
    port,
    dataDir,
    jwtSecret,
    adminPassword,
    rotationKey: randomBytes(32).toString('hex'),
    rateLimits: options.rateLimits === true,
    appView: options.appView,
    network: options.network && { ...options.network, port: await freePort(), dataPort: await freePort() },
  }
  const child = spawn(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(import.meta.dirname, 'sqlite.js')).href,
      join(import.meta.dirname, 'serve.js'),
      JSON.stringify(settings),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'], env: { ...inherited(), LOG_ENABLED: 'false' } },
  )
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4000)))
  const exited = once(child, 'exit')
  const ready = once(createInterface({ input: child.stdout }), 'line')
  const line = await Promise.race([
    ready.then(([said]) => Ready.parse(JSON.parse(String(said)))),
    exited.then(() => undefined),
  ])
  if (!line) {
    rmSync(dataDir, { recursive: true, force: true })
    throw new Error(`The Bluesky server did not start: ${errors}`)
  }
  child.stdout.resume()

  const call = <T>(method: string, reply: z.ZodType<T>, json: unknown, authorization?: string) =>
    xrpc(url, method, reply, json, authorization)
  const admin = `Basic ${Buffer.from(`admin:${adminPassword}`).toString('base64')}`
  let count = 0

  return {
    url,
    /** What the safe fetch has to allow: the server and, to connect, the directory of its accounts. */
    host: `localhost:${port}`,
    directory: line.directory,
    directoryHost: new URL(line.directory).host,
    /** Makes an account under .test with a main password and one app password. */
    async createAccount(name = `rook${++count}`): Promise<TestAccount> {
      const handle = `${name}.test`
      const email = `${name}@example.com`
      const password = `main-${randomBytes(6).toString('hex')}`
      const { did, accessJwt } = await call('com.atproto.server.createAccount', Created, { handle, email, password })
      const app = await call(
        'com.atproto.server.createAppPassword',
        AppPassword,
        { name: 'rookery' },
        `Bearer ${accessJwt}`,
      )
      return { did, handle, email, password, appPassword: app.password, accessJwt }
    },
    /**
     * Deletes the app password, as a person does in the settings; sessions opened with it can't be renewed any more.
     */
    revokeAppPassword: (account: TestAccount) =>
      call('com.atproto.server.revokeAppPassword', z.unknown(), { name: 'rookery' }, `Bearer ${account.accessJwt}`),
    deactivate: (account: TestAccount) =>
      call('com.atproto.server.deactivateAccount', z.unknown(), {}, `Bearer ${account.accessJwt}`),
    activate: (account: TestAccount) =>
      call('com.atproto.server.activateAccount', z.unknown(), undefined, `Bearer ${account.accessJwt}`),
    /** What Bluesky's moderation does to an account. */
    takeDown: (account: TestAccount, applied = true) =>
      call(
        'com.atproto.admin.updateSubjectStatus',
        z.unknown(),
        { subject: { $type: 'com.atproto.admin.defs#repoRef', did: account.did }, takedown: { applied, ref: 'test' } },
        admin,
      ),
    /** A token of an app password that this server itself would have made, ending when the test wants. */
    tokenFor(account: TestAccount, expiresAt: Date, scope = 'com.atproto.appPass'): string {
      const exp = Math.floor(expiresAt.getTime() / 1000)
      return sign(
        { typ: 'at+jwt', alg: 'HS256' },
        { scope, aud: 'did:web:localhost', sub: account.did, iat: exp - 7200, exp },
        jwtSecret,
      )
    },
    /** What the server's own code says of a client's description, and of the assertion that proves it: `accepted`, or why not. */
    async judgeClient(
      clientId: string,
      metadata: Record<string, unknown>,
      proof?: { assertion: string; issuer: string },
    ): Promise<string> {
      const { stdout } = await promisify(execFile)(process.execPath, [
        join(import.meta.dirname, 'judgeClient.js'),
        clientId,
        JSON.stringify(metadata),
        ...(proof ? [proof.assertion, proof.issuer] : []),
      ])
      return stdout.trim()
    },
    /** What an account writes with its main password, as in Bluesky's own app. */
    create: (account: TestAccount, record: { $type: string; [field: string]: unknown }) =>
      call(
        'com.atproto.repo.createRecord',
        Strong,
        { repo: account.did, collection: record.$type, record },
        `Bearer ${account.accessJwt}`,
      ),
    delete: (account: TestAccount, uri: string) => {
      const [collection, rkey] = uri.split('/').slice(-2)
      return call(
        'com.atproto.repo.deleteRecord',
        z.unknown(),
        { repo: account.did, collection, rkey },
        `Bearer ${account.accessJwt}`,
      )
    },
    /** The posts of an account, newest first, as anyone reads them. */
    async posts(account: TestAccount) {
      const query = new URLSearchParams({ repo: account.did, collection: 'app.bsky.feed.post', limit: '100' })
      const answer = await fetch(`${url}/xrpc/com.atproto.repo.listRecords?${query.toString()}`)
      return Records.parse(await answer.json()).records
    },
    /** From now on it doesn't keep this process alive, with which it ends. */
    letGo() {
      child.unref()
      for (const pipe of [child.stdin, child.stdout, child.stderr]) if (pipe instanceof Socket) pipe.unref()
    },
    async stop() {
      child.stdin.end()
      if (child.exitCode === null) await exited
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function xrpc<T>(
  url: string,
  method: string,
  reply: z.ZodType<T>,
  json: unknown,
  authorization?: string,
): Promise<T> {
  const answer = await fetch(`${url}/xrpc/${method}`, {
    method: 'POST',
    headers: {
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(authorization ? { authorization } : {}),
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method}: ${answer.status} ${text}`)
  return reply.parse(text ? JSON.parse(text) : undefined)
}

/** The environment without what would configure the server behind the test's back. */
function inherited(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PDS_') && name !== 'NODE_OPTIONS'),
  )
}

function sign(header: object, claims: object, secret: string): string {
  const body = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`
}
