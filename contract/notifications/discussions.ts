import { z } from 'zod'
import { webLinks } from '../webLinks.ts'
import { inProject, notification, type Place } from './define.ts'

/* About discussions of the team. */

const discussion = z.object({ author: z.string(), discussionId: z.string(), /** Its title. */ discussion: z.string() })
const message = discussion.extend({ /** How the message begins. */ excerpt: z.string() })
const toDiscussion = ({ discussionId }: z.output<typeof discussion>, place: Place) =>
  inProject(place, (project) => webLinks.discussion(project, discussionId))

export const discussionNotifications = {
  'discussion-mention': notification({
    topic: 'discussions',
    params: message,
    title: ({ author, discussion: name }) => `${author} mentioned you in “${name}”`,
    body: ({ excerpt }) => excerpt,
    link: toDiscussion,
  }),
  'discussion-message': notification({
    topic: 'discussions',
    params: message,
    title: ({ author, discussion: name }) => `${author} wrote in “${name}”`,
    body: ({ excerpt }) => excerpt,
    link: toDiscussion,
  }),
  'discussion-added': notification({
    topic: 'discussions',
    params: discussion,
    title: ({ author }) => `${author} added you to a discussion`,
    body: ({ discussion: name }) => name,
    link: toDiscussion,
  }),
  'discussion-resolved': notification({
    topic: 'discussions',
    params: discussion,
    title: ({ author }) => `${author} resolved a discussion`,
    body: ({ discussion: name }) => name,
    link: toDiscussion,
  }),
}
