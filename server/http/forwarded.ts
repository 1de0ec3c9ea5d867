import type { FastifyInstance } from 'fastify'

/**
 * Logs once that a proxy forwards addresses without being trusted, because TRUST_PROXY doesn't name it: until then, all
 * people behind it are one client to login limits and the audit log.
 */
export function watchForwarded(app: FastifyInstance, warn: (facts: { proxy: string }, message: string) => void): void {
  let said = false
  app.addHook('onRequest', async (request) => {
    const proxy = request.socket.remoteAddress
    // a trusted proxy makes request.ip the client's address
    if (said || proxy === undefined || request.headers['x-forwarded-for'] === undefined || request.ip !== proxy) return
    said = true
    warn({ proxy }, 'X-Forwarded-For comes from an address that is not in TRUST_PROXY: all its clients count as one')
  })
}
