import type { Call, SimulatedPost, Token, World } from './world.ts'

/** The Page that a call acts for: only with the Page's own token. */
export function pageOfCall(world: World, call: Call, ...rights: string[]): { page: string; token: Token } {
  const token = world.who(call, ...rights)
  const page = call.path.id === 'me' || call.path.id === undefined ? token.account : call.path.id
  if (token.kind !== 'page' || token.account !== page)
    world.no('scope', 'A Page access token of this Page is required.')
  return { page, token }
}

/** Adds a post to a Page. A story's ID doesn't start with the Page's. */
export function put(
  world: World,
  page: string,
  kind: string,
  text: string,
  now: number,
  rest: Partial<SimulatedPost>,
): SimulatedPost {
  const number = world.nextId()
  const id = `${page}_${number}`
  const path =
    kind === 'reel'
      ? `reel/${rest.media?.[0] ?? number}`
      : kind === 'story'
        ? `stories/${page}/${number}`
        : `${page}/posts/${number}`
  return world.publish({ ...rest, id, account: page, kind, text, permalink: `https://www.facebook.com/${path}` }, now)
}

/** The ID of the post that shows a video: the Page's and its own. */
export const feedIdOf = ({ id, account, kind }: SimulatedPost): string => (kind === 'video' ? `${account}_${id}` : id)

/** A post by its ID. A reel or a video is also known by its video's ID: comments, metrics and deletion work with either. */
export function nodeOf(world: World, id: string): SimulatedPost {
  return (
    world.live(({ kind, media }) => kind === 'reel' && media.includes(id))[0] ??
    world.live((post) => post.kind === 'video' && feedIdOf(post) === id)[0] ??
    world.post(id)
  )
}
