import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { webLinks } from '#contract/webLinks.ts'
import { createAppRouter } from './router.tsx'

const ids = { orgId: 'o', projectId: 'p' }
const links: { [Name in keyof typeof webLinks]: [link: string, route: string] } = {
  post: [webLinks.post(ids, 'x'), '/$orgId/project/$projectId/post/$postId'],
  calendar: [webLinks.calendar(ids), '/$orgId/project/$projectId/calendar'],
  channels: [webLinks.channels(ids), '/$orgId/project/$projectId/channels'],
  insights: [webLinks.insights(ids), '/$orgId/project/$projectId/insights/$'],
  report: [webLinks.report(ids, 'x'), '/$orgId/project/$projectId/insights/report-builder/$reportId'],
  reportSchedules: [webLinks.reportSchedules(ids, 'x'), '/$orgId/project/$projectId/insights/report-builder/$reportId'],
  pendingApprovals: [webLinks.pendingApprovals(ids), '/$orgId/project/$projectId/posts/$tab'],
  inbox: [webLinks.inbox(ids), '/$orgId/project/$projectId/inbox'],
  // a screen drops what can't be an id
  conversation: [
    webLinks.conversation(ids, '0190a000-0000-7000-8000-000000000001'),
    '/$orgId/project/$projectId/inbox',
  ],
  discussion: [
    webLinks.discussion(ids, '0190a000-0000-7000-8000-000000000001'),
    '/$orgId/project/$projectId/discussions',
  ],
  orgSettings: [webLinks.orgSettings(ids), '/$orgId/project/$projectId/org-settings'],
  billing: [webLinks.billing(ids), '/$orgId/project/$projectId/org-settings'],
  chooseActive: [webLinks.chooseActive(ids), '/$orgId/project/$projectId/org-settings'],
  onboarding: [webLinks.onboarding(), '/onboarding'],
  login: [webLinks.login(), '/login'],
  forgotPassword: [webLinks.forgotPassword(), '/forgot-password'],
  resetPassword: [webLinks.resetPassword('t'), '/reset-password'],
  invite: [webLinks.invite('i'), '/invite'],
  approve: [webLinks.approve('t'), '/approve/$token'],
  unsubscribe: [webLinks.unsubscribe('t'), '/unsubscribe'],
  notificationSettings: [webLinks.notificationSettings(), '/profile'],
}
const router = createAppRouter(new QueryClient())

it.each(Object.entries(links))(
  'finds the route of the link %s, which keeps all of its query',
  (_name, [link, route]) => {
    const { pathname, searchParams } = new URL(link, 'https://rookery.test')
    const matches = router.matchRoutes(pathname, router.options.parseSearch(link.replace(/^[^?#]*|#.*$/g, '')))
    expect(matches.at(-1)?.routeId).toBe(route)
    expect(matches.at(-1)?.search).toMatchObject(Object.fromEntries(searchParams))
  },
)
