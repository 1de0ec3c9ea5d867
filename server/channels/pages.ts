import type { FastifyInstance } from 'fastify'
import { platformKeys } from '#contract/platforms/rules.ts'
import type { ConnectDeps } from './connect.ts'

type Address = { Params: { platform: string } }

/**
 * The URLs outside of the API that connecting needs: what a platform reads about us, and the redirect back from its
 * page, which is a page of the app. A platform that only accepts IP addresses for local apps sends the browser to
 * 127.0.0.1; from there it's redirected to the public URL, where the session is.
 */
export function mountConnectPages(
  app: FastifyInstance,
  { env, platforms }: Pick<ConnectDeps, 'env' | 'platforms'>,
): void {
  const home = new URL(env.publicUrl)

  app.get<Address>('/oauth/:platform/client-metadata.json', async (request, reply) => {
    const key = platformKeys.find((known) => known === request.params.platform)
    const metadata = key && platforms(key)?.connect.withPage?.metadata
    if (!metadata) {
      reply.callNotFound()
      return reply
    }
    return await reply
      .header('cache-control', 'public, max-age=600')
      .header('access-control-allow-origin', '*')
      .send(await metadata())
  })

  app.get<Address>('/oauth/:platform/callback', (request, reply) => {
    const isElsewhere = home.hostname === 'localhost' && request.hostname === '127.0.0.1'
    return isElsewhere
      ? reply.header('cache-control', 'no-store').redirect(`${home.origin}${request.url}`, 302)
      : reply.callNotFound()
  })
}
