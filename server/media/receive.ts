import { ERRORS, Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asTenant } from '../db/tenant.ts'
import { Failure } from '../errors.ts'
import { isForeign } from '../http/origin.ts'
import { problemOf, sendProblem } from '../http/problem.ts'
import { finishUpload, giveUpUpload, isFinishing } from './finishUpload.ts'
import { UPLOAD_PATH, type UploadContext } from './uploads.ts'
import { readTicket, type UploadTicket } from './uploadToken.ts'

/**
 * Receives the bytes of announced files with the tus protocol at `/api/upload/:token`, in as many pieces as the
 * connection needs. The URL is the permission: no session is required. Failures are problem details, as everywhere.
 */
export function mountUploads(app: FastifyInstance, context: UploadContext): void {
  const tus = tusServer(context)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // tus reads the body, from the socket to the disk
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.route<{ Params: { token: string } }>({
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: `${UPLOAD_PATH}/:token`,
      config: { streamed: true },
      handler: async (request, reply) => {
        if (request.method !== 'HEAD' && isForeign(request, context.env.publicUrl))
          return sendProblem(reply, 'FOREIGN_ORIGIN')
        const ticket = readTicket(context.key, request.params.token, context.clock.now())
        if (!ticket)
          return sendProblem(reply, 'NOT_FOUND', { detail: 'This upload has expired. Choose the file again.' })
        if (request.method === 'HEAD' && (await answeredAsWhole(context, ticket, reply))) return reply
        if (request.method === 'DELETE') return await giveUp(context, ticket, reply)
        await passOn(tus, request, reply)
        return reply
      },
    })
  })
}

async function passOn(tus: Server, { raw: request, id }: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply.hijack()
  reply.raw.setHeader('x-content-type-options', 'nosniff')
  reply.raw.setHeader('cache-control', 'no-store')
  reply.raw.setHeader('x-request-id', id)
  await tus.handle(request, reply.raw)
}

async function giveUp(context: UploadContext, ticket: UploadTicket, reply: FastifyReply): Promise<FastifyReply> {
  await giveUpUpload(context, ticket)
  return reply.code(204).header('tus-resumable', '1.0.0').send()
}

/**
 * The response to the last piece may get lost, or the process may have ended right before it: a client that asks again
 * learns that everything arrived, once the file has been processed.
 */
async function answeredAsWhole(context: UploadContext, ticket: UploadTicket, reply: FastifyReply): Promise<boolean> {
  const { orgId, assetId } = ticket
  const read = () =>
    asTenant(context.databases.web, orgId, (tx) =>
      tx
        .selectFrom('asset')
        .select(['bytes', 'state'])
        .where('org_id', '=', orgId)
        .where('id', '=', assetId)
        .executeTakeFirst(),
    )
  const asset = await read()
  if (!asset) return false
  if (asset.state === 'uploading') {
    const file = await context.staging.files.getUpload(assetId).catch(() => undefined)
    const isWhole = file?.size !== undefined && file.offset === file.size
    // another request may be finishing it, which moves its bytes away before it's ready, or have finished it at this moment
    if (isWhole || isFinishing(assetId)) await finishUpload(context, ticket)
    else if ((await read())?.state !== 'ready') return false
  }
  await reply.headers({ 'tus-resumable': '1.0.0', 'upload-offset': asset.bytes, 'upload-length': asset.bytes }).send()
  return true
}

type TusRequest = Parameters<NonNullable<Server['options']['onIncomingRequest']>>[0]

function tusServer(context: UploadContext): Server {
  const ticketOf = (request: TusRequest) =>
    readTicket(
      context.key,
      decodeURIComponent(new URL(request.url).pathname.slice(UPLOAD_PATH.length + 1)),
      context.clock.now(),
    )
  return new Server({
    path: UPLOAD_PATH,
    datastore: context.staging.files,
    // same origin only
    allowedOrigins: () => false,
    getFileIdFromRequest: (request) => ticketOf(request)?.assetId,
    onUploadFinish: async (request) => {
      const ticket = ticketOf(request)
      if (!ticket) throw ERRORS.FILE_NOT_FOUND
      await finishUpload(context, ticket)
      return {}
    },
    onResponseError: async (request, error) => {
      if (error instanceof Failure) return problem(error)
      if (error !== ERRORS.FILE_WRITE_ERROR) {
        if (error instanceof Error) context.log.error({ err: error }, 'an upload failed')
        return error instanceof Error ? problem(new Failure('UPLOAD_FAILED')) : undefined
      }
      // an interrupted connection keeps what arrived, to be resumed; a full disk keeps nothing
      if (request.runtime?.node?.req.complete === false && request.runtime.node.req.destroyed) return undefined
      const ticket = ticketOf(request)
      if (ticket) await giveUpUpload(context, ticket)
      return problem(new Failure('UPLOAD_FAILED'))
    },
  })
}

function problem({ code, facts }: Failure): { status_code: number; body: string } {
  const details = problemOf(code, facts, '')
  return { status_code: details.status, body: JSON.stringify(details) }
}
