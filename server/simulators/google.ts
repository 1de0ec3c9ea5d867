import { oauthRoutes, standardWrong } from './oauth.ts'
import type { Reply, Route, Why, World } from './world.ts'

/* What YouTube and Google Business Profile share: the sign-in and the format of errors. */

const kinds: Record<Why, [code: number, status: string, reason: string]> = {
  token: [401, 'UNAUTHENTICATED', 'authError'],
  expired: [401, 'UNAUTHENTICATED', 'authError'],
  scope: [403, 'PERMISSION_DENIED', 'insufficientPermissions'],
  request: [400, 'INVALID_ARGUMENT', 'badRequest'],
  missing: [404, 'NOT_FOUND', 'notFound'],
  limit: [403, 'RESOURCE_EXHAUSTED', 'quotaExceeded'],
  duplicate: [409, 'ALREADY_EXISTS', 'duplicate'],
  media: [400, 'INVALID_ARGUMENT', 'mediaBodyRequired'],
}

export function googleRefusal(why: Why, message: string): Reply {
  const [code, status, reason] = kinds[why]
  return googleError(code, reason, message, status)
}

export function googleError(code: number, reason: string, message: string, status = 'INVALID_ARGUMENT'): Reply {
  return { status: code, json: { error: { code, message, status, errors: [{ message, domain: 'youtube', reason }] } } }
}

/** One sign-in for all of Google; the person determines the channel or business. */
export function googleSignIn(world: World): Route[] {
  return [
    ...oauthRoutes(world, {
      label: 'Google',
      page: ['accounts.google.com/o/oauth2/v2/auth'],
      token: ['POST oauth2.googleapis.com/token'],
      revoke: 'POST oauth2.googleapis.com/revoke',
      separator: ' ',
      pkce: 'optional',
      codeSeconds: 600,
      accessSeconds: 3599,
      // Google issues one with the first consent, and again if it's asked to prompt
      refresh: { seconds: null, rotates: false, when: (asked) => asked.access_type === 'offline' },
      wrong: standardWrong,
    }),
    [
      'GET oauth2.googleapis.com/tokeninfo',
      (call) => {
        const token = world.who(call)
        return {
          json: {
            azp: token.clientId,
            aud: token.clientId,
            scope: token.scopes.join(' '),
            expires_in: String(Math.floor(((token.expiresAt ?? call.now) - call.now) / 1000)),
            access_type: 'offline',
          },
        }
      },
    ],
  ]
}
