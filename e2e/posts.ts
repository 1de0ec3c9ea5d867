import { z } from 'zod'
import type { Person } from './people.ts'

const Channels = z.object({ channels: z.array(z.object({ channelId: z.string() })) })
const Submitted = z.object({ posts: z.array(z.object({ postId: z.string() })) })
type Who = Pick<Person, 'page' | 'ids'>

const projectOf = ({ ids }: Pick<Person, 'ids'>) => `/api/${ids.orgId}/project/${ids.projectId}`

/** Calls a path of the project with the page's session; throws if it is refused. */
export async function callInProject(
  who: Who,
  method: 'get' | 'post' | 'put' | 'delete',
  path: string,
  data?: unknown,
): Promise<unknown> {
  const reply = await who.page.request[method](`${projectOf(who)}${path}`, data === undefined ? {} : { data })
  if (!reply.ok()) throw new Error(`${method} ${path}: ${await reply.text()}`)
  return await reply.json()
}

export async function channelIdsOf(who: Who): Promise<string[]> {
  return Channels.parse(await callInProject(who, 'get', '/social/all')).channels.map(({ channelId }) => channelId)
}

type Extra = { labels?: string[]; campaignIds?: string[]; workflowId?: string }

/** Submits posts to every channel of the person as the composer does, without its clicks; returns their IDs. */
export async function submitPosts(
  who: Who,
  texts: readonly string[],
  schedule: object,
  intent = 'SCHEDULE',
  extra: Extra = {},
): Promise<string[]> {
  const channelIds = await channelIdsOf(who)
  const made: string[] = []
  for (const text of texts) {
    const reply = await callInProject(who, 'post', '/post', {
      intent,
      channels: channelIds.map((channelId) => ({ channelId, postType: 'post', contents: [{ text, media: [] }] })),
      schedule,
      ...extra,
    })
    made.push(...Submitted.parse(reply).posts.map(({ postId }) => postId))
  }
  return made
}

/** Posts that are due this many days from now. */
export async function schedulePosts(
  who: Who,
  posts: readonly { text: string; inDays: number }[],
  extra: Extra = {},
): Promise<string[]> {
  const made: string[] = []
  for (const { text, inDays } of posts)
    made.push(
      ...(await submitPosts(
        who,
        [text],
        {
          type: 'ONCE',
          details: { utc: new Date(Date.now() + inDays * 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
        },
        'SCHEDULE',
        extra,
      )),
    )
  return made
}
