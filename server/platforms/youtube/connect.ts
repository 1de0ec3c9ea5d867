import { because } from '#contract/failures/catalog.ts'
import { youtube as rules } from '#contract/platforms/youtube.ts'
import { finishGoogle, needsRefresh, refreshGoogle, startGoogle } from '../google.ts'
import type { Connect, ConnectByPage, SignedIn, SignInAnswer } from '../platform.ts'
import { call, LABEL, refusalOf, withSecret } from './client.ts'
import { Channels, type YoutubeSecret } from './schemas.ts'

const SCOPES = rules.app?.scopes ?? []
const asking = { doing: 'identify-channel', irreversible: false } as const

const begin: ConnectByPage['begin'] = async (reach, ask) => await startGoogle(reach, ask, SCOPES)

/** On Google's page, the person chooses one of their YouTube channels; usually there is only one. */
const answer: ConnectByPage['answer'] = async (reach, keep, params): Promise<SignInAnswer> => {
  const google = await finishGoogle(reach, keep, params, SCOPES, LABEL)
  if (google.kind !== 'google') return google
  const { secret, expiresAt, endsAt, missing } = google
  const found = await call(reach, secret, {
    path: '/channels',
    query: { part: 'snippet', mine: 'true', maxResults: '50' },
    reply: Channels,
  })
  if (found.kind !== 'ok') return refusalOf(found, asking)
  if (found.value.items.length === 0)
    return { kind: 'rejected', reason: { ...because('youtube-no-channel'), platformCode: 'no-channel' } }
  const accounts = found.value.items.map(({ id, snippet: { title, customUrl, thumbnails } }): SignedIn => {
    const own: YoutubeSecret = { ...secret, channelId: id }
    return {
      account: {
        remoteId: id,
        name: title || id,
        handle: customUrl || title || id,
        pictureUrl: thumbnails,
        service: null,
      },
      secret: own,
      expiresAt,
      endsAt,
      kind: 'Channel',
      ...(missing.length > 0 && { missing }),
    }
  })
  return { kind: 'accounts', accounts }
}

const check: Connect['check'] = withSecret(async (reach, own) => {
  const found = await call(reach, own, { path: '/channels', query: { part: 'snippet', mine: 'true' }, reply: Channels })
  if (found.kind !== 'ok') return refusalOf(found, asking)
  const channel = found.value.items.find(({ id }) => id === own.channelId)
  return {
    kind: 'works',
    endsAt: own.endsAt === null ? null : new Date(own.endsAt),
    ...(channel && { pictureUrl: channel.snippet.thumbnails }),
  }
})

/** There is no `revoke`: Google ends all sign-ins of a person to this app at once, and the others are channels too. */
export const connect: Connect = {
  method: 'oauth',
  withPage: { begin, answer },
  check,
  refresh: refreshGoogle(LABEL),
  needsRefresh,
}
