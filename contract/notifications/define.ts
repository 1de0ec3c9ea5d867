import { z } from 'zod'
import type { NoticeTopic } from '../notices.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { webLinks } from '../webLinks.ts'

/**
 * Where a notification belongs. Without a project, it belongs to the organization and is shown in each of its projects.
 */
export type Place = { orgId: string; projectId: string | null }

/** A notification's text, and the path in the app that it links to. */
export type Wording = { title: string; body: string; quote: string | null; link: string | null }

type Definition<Params extends z.ZodObject> = {
  /** What people choose to hear about; see the preferences. */
  topic: NoticeTopic
  /** The stored facts. `canReconnect` is added for each reader if the kind has it. */
  params: Params
  title: (params: z.output<Params>) => string
  body: (params: z.output<Params>) => string
  /** What someone wrote, shown as a quote. */
  quote?: (params: z.output<Params>) => string | null
  link: (params: z.output<Params>, place: Place) => string | null
}

/** A kind of notification: the facts it stores and how they're worded. */
export function notification<Params extends z.ZodObject>({
  topic,
  params,
  title,
  body,
  quote,
  link,
}: Definition<Params>) {
  return {
    topic,
    params,
    /** Undefined if these aren't the kind's facts, such as those that a newer version wrote. */
    describe(stored: unknown, place: Place): Wording | undefined {
      const { data } = params.safeParse(stored)
      return data && { title: title(data), body: body(data), quote: quote?.(data) ?? null, link: link(data, place) }
    },
  }
}

export const count = z.int().min(0)
export const postOnPlatform = z.object({ postId: z.string(), platform: PlatformKey })

/** A link into the place's project; null without one. */
export const inProject = (
  { orgId, projectId }: Place,
  link: (project: { orgId: string; projectId: string }) => string,
) => (projectId === null ? null : link({ orgId, projectId }))

export const toPost = ({ postId }: { postId: string }, place: Place): string | null =>
  inProject(place, (project) => webLinks.post(project, postId))

export const toCalendar = (_params: unknown, place: Place): string | null => inProject(place, webLinks.calendar)
