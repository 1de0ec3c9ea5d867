import type { FastifyInstance } from 'fastify'
import { MEDIA_LINK_HOURS } from '#contract/constants.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import { asTenant } from '../db/tenant.ts'
import type { Env } from '../env.ts'
import { sendProblem } from '../http/problem.ts'
import { installationSecret } from '../secret.ts'
import type { AssetRow } from './access.ts'
import { sendFile } from './send.ts'
import type { MediaStore } from './store.ts'
import { readTicket, signTicket } from './uploadToken.ts'

const PATH = '/api/media'
const LINK_MS = MEDIA_LINK_HOURS * 3_600_000

/** A URL from which anyone can read the file, or its thumbnail, for 24 hours; null without PUBLIC_URL. */
export type MediaLinks = (
  asset: Pick<AssetRow, 'org_id' | 'id' | 'file_name'>,
  what: 'file' | 'thumbnail',
) => string | null

type LinkDeps = { env: Env; clock: Clock }
const keysOf = ({ env }: Pick<LinkDeps, 'env'>) => ({
  file: installationSecret(env, 'media links'),
  thumbnail: installationSecret(env, 'thumbnail links'),
})

/** Signs URLs for platforms that download media without a cookie. */
export function mediaLinks(deps: LinkDeps): MediaLinks {
  const keys = keysOf(deps)
  return ({ org_id: orgId, id: assetId, file_name: name }, what) => {
    if (deps.env.PUBLIC_URL === undefined) return null
    const token = signTicket(keys[what], { orgId, assetId, expiresAt: new Date(deps.clock.now().getTime() + LINK_MS) })
    return `${deps.env.publicUrl}${PATH}/${what}/${token}/${what === 'file' ? name : 'thumbnail.jpg'}`
  }
}

/**
 * Serves what `mediaLinks` signed. The URL is the permission: no session is required. The name at its end is for
 * platforms that want one.
 */
export function mountMediaLinks(
  app: FastifyInstance,
  deps: LinkDeps & { databases: Databases; media: MediaStore },
): void {
  const keys = keysOf(deps)
  app.get<{ Params: { what: string; token: string } }>(`${PATH}/:what/:token/*`, async (request, reply) => {
    const { what, token } = request.params
    const ticket = what === 'file' || what === 'thumbnail' ? readTicket(keys[what], token, deps.clock.now()) : undefined
    const asset =
      ticket &&
      (await asTenant(deps.databases.web, ticket.orgId, (tx) =>
        tx
          .selectFrom('asset')
          .selectAll()
          .where('org_id', '=', ticket.orgId)
          .where('id', '=', ticket.assetId)
          .where('state', '=', 'ready')
          .executeTakeFirst(),
      ))
    const file = asset && (what === 'thumbnail' ? thumbnailOf(asset) : fileOf(asset))
    if (!file) return sendProblem(reply, 'NOT_FOUND')
    const { bytes, contentType, length, status, headers } = await sendFile(
      deps.media,
      file,
      request,
      'private, max-age=3600',
    )
    if (length !== undefined) void reply.header('content-length', length)
    return reply
      .code(status ?? 200)
      .headers(headers ?? {})
      .type(contentType)
      .send(bytes)
  })
}

/** What is sent of a file. */
export const fileOf = (asset: Pick<AssetRow, 'store_key' | 'bytes' | 'content_type' | 'file_name'>) => ({
  key: asset.store_key,
  bytes: asset.bytes,
  contentType: asset.content_type,
  fileName: asset.file_name,
})

/** The same for a video's thumbnail; undefined if none was chosen. */
export const thumbnailOf = (asset: Pick<AssetRow, 'thumbnail_key' | 'thumbnail_bytes'>) =>
  asset.thumbnail_key === null || asset.thumbnail_bytes === null
    ? undefined
    : { key: asset.thumbnail_key, bytes: asset.thumbnail_bytes, contentType: 'image/jpeg', fileName: 'thumbnail.jpg' }
