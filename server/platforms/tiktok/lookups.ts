import { tiktok as rules } from '#contract/platforms/tiktok.ts'
import type { Lookup } from '../platform.ts'
import { creatorOf, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const labels = new Map(
  rules.posts.flatMap(({ details }) =>
    details.flatMap(({ options = [] }) => options.map(({ value, label }) => [value, label] as const)),
  ),
)

/** Who may see a post of this account, and what others may do with it: TikTok offers not everything to everybody, and wants nothing chosen for the person. */
export const creator: Lookup = withSecret(async (reach, own, _account, { query, limit }) => {
  const found = await creatorOf(reach, own)
  if (found.kind !== 'ok') return refusalOf(found, { doing: 'show-options', irreversible: false })
  const wanted = query.trim().toLowerCase()
  const {
    privacy_level_options: viewers,
    comment_disabled: noComment,
    duet_disabled: noDuet,
    stitch_disabled: noStitch,
    creator_nickname: nickname,
    creator_username: username,
    creator_avatar_url: pictureUrl,
  } = found.value
  const items = [
    ...viewers,
    ...(noComment ? [] : ['comment']),
    ...(noDuet ? [] : ['duet']),
    ...(noStitch ? [] : ['stitch']),
  ].map((id) => ({ id, name: labels.get(id) ?? id, detail: null, pictureUrl: null, insert: null }))
  return {
    kind: 'found',
    items: items.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, limit),
    // the guidelines want the creator's nickname beside the post, so that people know which account it goes to
    account: { name: nickname || username, pictureUrl },
  }
})
