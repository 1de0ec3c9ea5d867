import { tiktok as rules } from '#contract/platforms/tiktok.ts'
import type { Lookup } from '../platform.ts'
import { creatorOf, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'

const labels = new Map(
  rules.posts.flatMap(({ details }) =>
    details.flatMap(({ options = [] }) => options.map(({ value, label }) => [value, label] as const)),
  ),
)

/**
 * Who may see this account's posts, and which interactions it can allow. Options differ by account, and TikTok requires
 * that the person chooses, without defaults.
 */
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
    // the guidelines require the creator's nickname next to the post, so that people know which account it's for
    account: { name: nickname || username, pictureUrl },
  }
})
