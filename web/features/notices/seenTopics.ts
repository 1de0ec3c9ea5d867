import { noticeTopics, topicNeeds, type NoticeTopic } from '#contract/notices.ts'
import { allows, type Permissions } from '#contract/permissions.ts'

/** The topics whose notifications these permissions show. */
export const seenTopics = (permissions: Permissions): NoticeTopic[] =>
  noticeTopics.filter((topic) => {
    const needs = topicNeeds[topic]
    return needs === undefined || allows(permissions, ...needs)
  })
