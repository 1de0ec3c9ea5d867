import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../clock.ts'

/*
 * Bluesky's video service, as far as publishing needs it: it accepts a file with a token that may store one on the
 * account's own server, converts it while its job is polled, stores it there and returns the blob. It refuses what the
 * real one was seen to refuse (bluesky-social/atproto issues 3026 and 3097, blacksky-algorithms/blacksky.community
 * issue 24).
 */

type Answer = { status: number; body: unknown }
type Asked = { method: string; url: URL; token: string; contentType: string; body: Buffer }
/** Stores a converted file on the account's server with the request's token. Undefined if the server refuses. */
type Store = (token: string, bytes: Buffer) => Promise<unknown>
type Job = { id: string; did: string; token: string; bytes: Buffer; looks: number; blob?: unknown; failure?: string }

export class SimulatedVideoService {
  /** The audience that its tokens must have. */
  readonly did: string
  readonly #store: Store
  readonly #didOfServer: () => string
  readonly #jobs = new Map<string, Job>()
  /** How often a job is polled until it's done. */
  looks = 2
  /** Whether the accounts' email addresses are confirmed. */
  confirmed = true
  /** How many more videos an account may upload today. */
  videosLeft = 25
  bytesLeft = 10_000_000_000
  /** Why jobs fail from now on, as a failureCode; empty for no code at all. */
  failure: string | undefined
  /** Files that arrived completely, by account and content. */
  readonly uploads: string[] = []

  constructor(did: string, didOfServer: () => string, store: Store) {
    this.did = did
    this.#didOfServer = didOfServer
    this.#store = store
  }

  /** Responds to one of its methods; undefined for every other. */
  async answer(asked: Asked): Promise<Answer | undefined> {
    switch (asked.method) {
      case 'app.bsky.video.getUploadLimits':
        return this.#limits(asked)
      case 'app.bsky.video.uploadVideo':
        return this.#upload(asked)
      case 'app.bsky.video.getJobStatus':
        return await this.#look(asked.url.searchParams.get('jobId') ?? '')
      default:
        return undefined
    }
  }

  #limits({ token }: Asked): Answer {
    const claims = claimsOf(token)
    if (claims?.aud !== this.did || claims.lxm !== 'app.bsky.video.getUploadLimits' || isOver(claims))
      return refused(401, 'AuthMissing', 'Authentication Required')
    if (!this.confirmed)
      return ok({
        canUpload: false,
        error: 'unconfirmed_email',
        message: 'Confirm your email address to upload videos',
      })
    return ok({
      canUpload: this.videosLeft > 0,
      remainingDailyVideos: this.videosLeft,
      remainingDailyBytes: this.bytesLeft,
      ...(this.videosLeft === 0 && { message: 'User has exceeded daily upload videos limit' }),
    })
  }

  #upload({ url, token, contentType, body }: Asked): Answer {
    const claims = claimsOf(token)
    const did = url.searchParams.get('did') ?? ''
    if (!claims || isOver(claims) || claims.iss !== did) return refused(401, 'AuthMissing', 'invalid token')
    if (claims.aud !== this.#didOfServer())
      return refused(
        401,
        'AuthMissing',
        `invalid token: invalid token audience "${claims.aud}", should be the user's PDS DID "${this.#didOfServer()}"`,
      )
    if (claims.lxm !== 'com.atproto.repo.uploadBlob') return refused(401, 'AuthMissing', 'invalid token: bad lxm')
    if (contentType !== 'video/mp4') return refused(400, 'InvalidRequest', `Wrong request encoding: ${contentType}`)
    if (!url.searchParams.get('name')) return refused(400, 'InvalidRequest', 'name is required')
    if (!this.confirmed)
      return { status: 401, body: { jobStatus: { did: '', error: 'unconfirmed_email', jobId: '', state: '' } } }
    const id = createHash('sha256').update(did).update(body).digest('hex').slice(0, 20)
    const known = this.#jobs.get(id)
    // the lexicon wraps this in jobStatus, the service doesn't
    if (known && known.failure === undefined)
      return {
        status: 409,
        body: {
          did,
          error: 'already_exists',
          jobId: id,
          message: 'Video already processed',
          state: 'JOB_STATE_COMPLETED',
        },
      }
    this.uploads.push(id)
    this.#jobs.set(id, { id, did, token, bytes: body, looks: 0 })
    return ok({ did, jobId: id, state: 'JOB_STATE_CREATED' })
  }

  async #look(id: string): Promise<Answer> {
    const job = this.#jobs.get(id)
    if (!job) return refused(400, 'InvalidRequest', 'job not found')
    job.looks += 1
    const common = { jobId: id, did: job.did }
    if (job.blob === undefined && job.failure === undefined && job.looks <= this.looks)
      return ok({ jobStatus: { ...common, state: 'JOB_STATE_ENCODING', progress: 50 } })
    if (job.blob === undefined) job.failure ??= this.failure ?? (isVideo(job.bytes) ? undefined : 'validation_failure')
    if (job.blob === undefined && job.failure === undefined) {
      job.blob = await this.#store(job.token, job.bytes)
      if (job.blob === undefined) job.failure = 'pds_upload_failure'
    }
    if (job.failure !== undefined)
      return ok({
        jobStatus: {
          ...common,
          state: 'JOB_STATE_FAILED',
          error: `video processing error for job: ${id}`,
          message: 'Failed to process video',
          ...(job.failure && { failureCode: job.failure }),
        },
      })
    return ok({ jobStatus: { ...common, state: 'JOB_STATE_COMPLETED', blob: job.blob } })
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body })
const refused = (status: number, error: string, message: string): Answer => ({ status, body: { error, message } })
/** Whether a file is in the MP4 family, which it says after its first four bytes. */
const isVideo = (bytes: Buffer): boolean => bytes.subarray(4, 8).toString('latin1') === 'ftyp'

type Claims = { iss: string; aud: string; lxm?: string; exp: number }
const isOver = ({ exp }: Claims): boolean => exp * 1000 < systemClock.now().getTime()

/** A service token's claims; the server on which the file is stored checks whether it's valid. */
function claimsOf(token: string): Claims | undefined {
  const [, body] = token.split('.')
  try {
    // issued by a test server, following the protocol
    return body ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims) : undefined
  } catch {
    return undefined
  }
}

/** The service for a real AT Protocol server at the URL `pds`, where it stores converted files. */
export async function startVideoService(pds: string) {
  const service = new SimulatedVideoService(
    'did:web:localhost',
    () => `did:web:${new URL(pds).hostname}`,
    async (token, bytes) => {
      const stored = await fetch(`${pds}/xrpc/com.atproto.repo.uploadBlob`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'video/mp4' },
        body: new Uint8Array(bytes),
      })
      if (!stored.ok) return undefined
      // the real server's response, by its lexicon
      const { blob } = (await stored.json()) as { blob: unknown }
      return blob
    },
  )
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://video.test')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const asked = {
        method: url.pathname.replace('/xrpc/', ''),
        url,
        token: (request.headers.authorization ?? '').replace(/^Bearer /, ''),
        contentType: request.headers['content-type'] ?? '',
        body: Buffer.concat(chunks),
      }
      void reply(service, asked, response)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // a TCP server's address is an object
  const { port } = server.address() as AddressInfo
  return {
    service,
    origin: `http://localhost:${port}`,
    host: `localhost:${port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function reply(service: SimulatedVideoService, asked: Asked, response: ServerResponse): Promise<void> {
  const { status, body } =
    (await service.answer(asked)) ?? refused(501, 'MethodNotImplemented', 'Method Not Implemented')
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
