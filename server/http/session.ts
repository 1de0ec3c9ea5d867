import { hash } from 'node:crypto'
import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sessions end this many days after their last use, */
export const SESSION_DAYS = 30
/** and this many days after they began. */
export const SESSION_MOST_DAYS = 90

/** The session cookie's name: `__Host-` binds it to this host, which browsers allow under https only. */
const cookieName = (publicUrl: string) => (publicUrl.startsWith('https:') ? '__Host-rookery' : 'rookery')

/** Tokens are stored as their SHA-256: a copy of the database opens no session. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** The token that the browser holds, not looked up yet; undefined where it holds none. */
export function sessionTokenOf(request: FastifyRequest, publicUrl: string): string | undefined {
  const token = request.cookies[cookieName(publicUrl)]
  return token && token.length <= 200 ? token : undefined
}

/** Gives the browser its token, for as long as a session lives: out of reach of scripts, of other sites, and under https of other hosts. */
export function setSessionCookie(reply: FastifyReply, publicUrl: string, token: string): void {
  void reply.setCookie(cookieName(publicUrl), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
    maxAge: SESSION_DAYS * 86_400,
  })
}

/** Takes the token from the browser; the session is ended elsewhere. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  void reply.clearCookie(cookieName(publicUrl), {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  })
}
