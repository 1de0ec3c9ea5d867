import { z } from 'zod'
import { PlatformKey, PostType } from '#contract/platforms/rules.ts'
import type { Reply, SimulatedPost, World } from './world.ts'

/* Posts that people publish in the platform's own app, or with another tool: now, or over the last days. */

const DAY = 86_400_000

/** `POST /sim/publish`: a post from elsewhere, or many over the last days; the last one is published now. */
export const Natives = z.object({
  platform: PlatformKey,
  /** The account's ID or handle, also of a Page or an organization. */
  from: z.string(),
  text: z.string(),
  postType: PostType.optional(),
  count: z.number().int().min(1).max(5000).default(1),
  /** How far back the oldest goes; the others are spread, never evenly. */
  days: z.number().min(0).max(3650).default(0),
})
/** `POST /sim/delete`: a post of any account is gone. */
export const Deleted = z.object({ platform: PlatformKey, id: z.string() })

/** Publishes them, oldest first; returns them in this order. */
export function publishNatives(
  world: World,
  { from, text, postType, count, days }: Omit<z.infer<typeof Natives>, 'platform'>,
  now: number,
): SimulatedPost[] {
  const all = world.accounts.flatMap((account) => [account, ...account.owns])
  const account = all.find(({ id, handle }) => id === from || handle === from) ?? world.no('missing', `No ${from}`)
  return momentsOf({ count, days }, now).map((at, nth) =>
    publishNative(world, account.id, {
      text: count === 1 ? text : `${text} ${nth + 1}`,
      at,
      ...(postType && { postType }),
    }),
  )
}

/** When so many posts were published over the last days: the first that long ago, the last one now. */
export function momentsOf({ count, days }: { count: number; days: number }, now: number): number[] {
  const apart = count === 1 ? 0 : (days * DAY) / (count - 1)
  return Array.from({ length: count }, (_, nth) => {
    const back = count === 1 ? days * DAY : apart * (count - 1 - nth)
    // people don't publish at equal distances
    const late = nth === 0 || nth === count - 1 ? 0 : ((nth * 7919) % 97) / 100
    return Math.round((now - back + late * apart) / 1000) * 1000
  })
}

/** One post of an account, at any time before now. */
function publishNative(
  world: World,
  account: string,
  { text, at, postType = world.usualType }: { text: string; at: number; postType?: PostType },
): SimulatedPost {
  const made = world.native({ account, text, postType, number: world.numberAt(at), at })
  const post: SimulatedPost = {
    account,
    media: [],
    permalink: `https://${world.key}.simulated/${made.id}`,
    parent: null,
    deleted: false,
    more: {},
    ...made,
    text: world.keeps(made.text ?? text),
    createdAt: at,
  }
  world.posts.set(post.id, post)
  return post
}

export function deletePost(world: World, id: string): Reply {
  const post = world.post(id)
  post.deleted = true
  return { json: {} }
}
