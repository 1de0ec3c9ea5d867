import type { Reason } from '#contract/failures/catalog.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { createBluesky } from '../../platforms/bluesky/adapter.ts'
import { createFacebook } from '../../platforms/facebook/adapter.ts'
import { createGooglemybusiness } from '../../platforms/googlemybusiness/adapter.ts'
import { createInstagram } from '../../platforms/instagram/adapter.ts'
import { createLinkedIn } from '../../platforms/linkedin/adapter.ts'
import { createMastodon } from '../../platforms/mastodon/adapter.ts'
import { createPinterest } from '../../platforms/pinterest/adapter.ts'
import type { Outgoing, Platform, Reach, Secret } from '../../platforms/platform.ts'
import { createThreads } from '../../platforms/threads/adapter.ts'
import { createTiktok } from '../../platforms/tiktok/adapter.ts'
import { createX } from '../../platforms/x/adapter.ts'
import { createYoutube } from '../../platforms/youtube/adapter.ts'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../outgoing.ts'
import { scriptedFetch, type Step } from '../scriptedFetch.ts'

/*
 * One call to each adapter, up to the platform's response under test. Earlier responses are scripted here, this one by
 * the caller.
 */

/** A token that platforms repeat in their messages here, and that nobody may see. */
export const CANARY = 'canary-7f3a9c21d8e64b05a1f2c3'
const more = { refreshToken: CANARY, clientId: 'app', scopes: [] }

/** What an adapter returned; a refusal has a reason. */
export type Said = {
  kind: string
  first?: string
  afterSeconds?: number
  closesBudget?: boolean | string
  reason?: Reason
}
export type Stage = (steps: readonly Step[]) => Promise<Said>

type Ask = (platform: Platform, reach: Reach, secret: Secret, post: Outgoing) => Promise<Said | undefined>
const prepare: Ask = ({ publish }, reach, secret, post) => publish.prepare(reach, secret, account, post)
const send: Ask = ({ publish }, reach, secret, post) => publish.send(reach, secret, account, post)
const poll: Ask = async ({ publish }, reach, secret, post) => await publish.poll?.(reach, secret, account, post)
const renew: Ask = ({ connect }, reach, secret) => connect.refresh(reach, secret, account)
const comment: Ask = async ({ publish }, reach, secret, post) =>
  await publish.sendFollowUp?.(reach, secret, account, post, {
    key: 'comment',
    kind: 'comment',
    sendKey: 'key',
    progress: {},
    sent: [{ key: 'post', remoteId: '900', progress: {} }],
  })
const account = { remoteId: '77', handle: '@rook', service: null }
const app = { clientId: 'app', clientSecret: 'hush' }

/** `before` are the responses that precede the one under test. */
const stage =
  (
    platform: Platform,
    secret: Secret,
    ask: Ask,
    post: Partial<Outgoing> & { text?: string } = {},
    before: readonly Step[] = [],
  ): Stage =>
  async (steps) => {
    const fetch = scriptedFetch(platform.key, [...before, ...steps])
    const said = await ask(
      platform,
      { fetch, signal: new AbortController().signal, app },
      secret,
      outgoingPost({ text: 'Good morning', ...post }),
    )
    if (!said || fetch.left() > 0) throw new Error(`${platform.key}: ${fetch.left()} answers were not asked for`)
    return said
  }

const photo = () => syntheticFile('image/jpeg', { name: 'a.jpg' })
const withPhoto = (text = 'Good morning') => ({ contents: [{ text, media: [photo()] }] })

const meta = { accessToken: CANARY, userId: '77', issuedAt: null, ...more }
const facebook = { accessToken: CANARY, pageId: '77', ...more }
const instagram = { ...meta, login: 'instagram' }
const google = { accessToken: CANARY, ...more, endsAt: null }
const parent = 'accounts/1/locations/2'
const localPost = `${parent}/localPosts/9`
const update = { postType: 'update' as const }
const video = {
  postType: 'video' as const,
  contents: [{ title: 'Rooks', text: 'About them', media: [syntheticFile('video/mp4')] }],
  details: { privacy: 'unlisted', madeForKids: false, categoryId: '22' },
}
const linkedin = {
  accessToken: CANARY,
  refreshToken: CANARY,
  refreshEndsAt: '2027-11-21T10:00:00.000Z',
  endsAt: '2027-01-20T10:00:00.000Z',
  author: 'urn:li:organization:77',
  clientId: 'app',
  scopes: [],
}
const tiktok = { accessToken: CANARY, ...more, endsAt: null, openId: 'open-77' }
const ofTikTok = (data: unknown): Step => ({ json: { data, error: { code: 'ok', message: '', log_id: 'x' } } })
const creator = ofTikTok({
  creator_username: 'rook',
  privacy_level_options: ['PUBLIC_TO_EVERYONE'],
  comment_disabled: false,
  duet_disabled: false,
  stitch_disabled: false,
  max_video_post_duration_sec: 300,
})
const photosOnTikTok = {
  ...withPhoto('Baked today'),
  details: { privacy: 'PUBLIC_TO_EVERYONE' },
  progress: { ready: true, publishId: null, askedAt: PLANNED_AT.toISOString() },
}
const limits = {
  characters: null,
  addressLength: null,
  attachments: null,
  imageBytes: null,
  videoBytes: null,
  types: null,
  description: null,
}
const mastodon = {
  accessToken: CANARY,
  origin: 'https://rook.example',
  domain: 'rook.example',
  userId: '7',
  username: 'rook',
  clientId: 'app',
  clientSecret: 'hush',
  scopes: [],
  limits,
}
const bluesky = { accessJwt: CANARY, refreshJwt: CANARY, did: 'did:plc:rook', pds: 'https://pds.example' }
const pin = { postType: 'pin' as const, ...withPhoto('Baked today'), details: { boardId: '5' } }

export const stages = {
  facebook: { send: stage(createFacebook(), facebook, send) },
  instagram: {
    container: stage(createInstagram(), instagram, prepare, withPhoto()),
    state: stage(createInstagram(), instagram, prepare, withPhoto(), [{ json: { id: '900' } }]),
    send: stage(createInstagram(), instagram, send, { ...withPhoto(), progress: { container: '900' } }, [
      { json: { data: [{ quota_usage: 0, config: { quota_total: 50, quota_duration: 86_400 } }] } },
    ]),
  },
  threads: {
    container: stage(createThreads(), meta, prepare),
    state: stage(
      createThreads(),
      meta,
      prepare,
      { contents: [{ text: 'Look', media: [syntheticFile('video/mp4', { name: 'v.mp4' })] }] },
      [{ json: { id: '900' } }],
    ),
    lastState: stage(
      createThreads(),
      meta,
      prepare,
      { contents: [{ text: 'Look', media: [syntheticFile('video/mp4', { name: 'v.mp4' })] }], progress: { failed: 2 } },
      [{ json: { id: '900' } }],
    ),
    send: stage(createThreads(), meta, send, { progress: { container: '900' } }),
  },
  linkedin: { send: stage(createLinkedIn(), linkedin, send), renew: stage(createLinkedIn(), linkedin, renew) },
  x: {
    send: stage(createX(), { accessToken: CANARY, userId: '77', ...more }, send),
    renew: stage(createX(), { accessToken: CANARY, userId: '77', ...more }, renew),
    comment: stage(createX(), { accessToken: CANARY, userId: '77', ...more }, comment, { firstComment: 'First' }),
  },
  youtube: {
    begin: stage(createYoutube(), { ...google, channelId: 'UC1' }, prepare, video),
    renew: stage(createYoutube(), { ...google, channelId: 'UC1' }, renew),
    comment: stage(createYoutube(), { ...google, channelId: 'UC1' }, comment, { firstComment: 'First' }),
  },
  googlemybusiness: {
    send: stage(createGooglemybusiness(), { ...google, parent, mapsUri: null }, send, update),
    poll: stage(createGooglemybusiness(), { ...google, parent, mapsUri: null }, poll, {
      ...update,
      progress: { name: localPost },
    }),
    renew: stage(createGooglemybusiness(), { ...google, parent, mapsUri: null }, renew),
  },
  pinterest: {
    send: stage(createPinterest(), { accessToken: CANARY, ...more }, send, pin),
    renew: stage(createPinterest(), { accessToken: CANARY, ...more }, renew),
  },
  tiktok: {
    creator: stage(createTiktok(), tiktok, prepare, { ...photosOnTikTok, progress: {} }),
    send: stage(createTiktok(), tiktok, send, photosOnTikTok, [creator]),
    poll: stage(createTiktok(), tiktok, poll, {
      ...photosOnTikTok,
      progress: { ready: true, publishId: 'p_pub_url~v2.1', looks: 0 },
    }),
    renew: stage(createTiktok(), tiktok, renew),
  },
  mastodon: { send: stage(createMastodon(), mastodon, send) },
  bluesky: {
    send: stage(createBluesky({ plcDirectory: 'https://plc.directory' }), bluesky, send, { sendKey: '3lbirdsoffeath' }),
    upload: stage(createBluesky({ plcDirectory: 'https://plc.directory' }), bluesky, prepare, withPhoto()),
  },
} as const satisfies Record<PlatformKey, Record<string, Stage>>

export { ofTikTok, localPost }
