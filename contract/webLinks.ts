/**
 * The web app's URLs that the server puts into notifications, emails and redirects, as paths: PUBLIC_URL is prepended
 * for full URLs. A test of the web app (webLinks.test.ts) finds a route for each.
 */

export type ProjectIds = { orgId: string; projectId: string }

const inProject = ({ orgId, projectId }: ProjectIds, rest: string) => `/${orgId}/project/${projectId}/${rest}`

export const webLinks = {
  post: (project: ProjectIds, postId: string) => inProject(project, `post/${postId}`),
  calendar: (project: ProjectIds) => inProject(project, 'calendar'),
  channels: (project: ProjectIds) => inProject(project, 'channels'),
  insights: (project: ProjectIds) => inProject(project, 'insights/insights'),
  report: (project: ProjectIds, reportId: string) => inProject(project, `insights/report-builder/${reportId}`),
  /** With the dialog of its schedules and what they sent. */
  reportSchedules: (project: ProjectIds, reportId: string) =>
    inProject(project, `insights/report-builder/${reportId}?open=schedules`),
  pendingApprovals: (project: ProjectIds) => inProject(project, 'posts/pending-approvals'),
  inbox: (project: ProjectIds) => inProject(project, 'inbox'),
  conversation: (project: ProjectIds, conversationId: string) => inProject(project, `inbox?c=${conversationId}`),
  discussion: (project: ProjectIds, discussionId: string) => inProject(project, `discussions?d=${discussionId}`),
  orgSettings: (project: ProjectIds) => inProject(project, 'org-settings'),
  billing: (project: ProjectIds) => inProject(project, 'org-settings?tab=billing'),
  /** Where an admin chooses what a smaller plan keeps active. */
  chooseActive: (project: ProjectIds) => inProject(project, 'org-settings?tab=billing&excess=choose'),
  onboarding: () => '/onboarding',
  login: () => '/login',
  forgotPassword: () => '/forgot-password',
  resetPassword: (token: string) => `/reset-password?token=${token}`,
  invite: (inviteId: string) => `/invite?inviteId=${encodeURIComponent(inviteId)}`,
  approve: (token: string) => `/approve/${token}`,
  unsubscribe: (token: string) => `/unsubscribe?token=${encodeURIComponent(token)}`,
  notificationSettings: () => '/profile#notices',
}
