import * as ai from './ai.ts'
import * as analyticsAnalysis from './analytics/analysis.ts'
import * as analyticsBrand from './analytics/brand.ts'
import * as analyticsCollecting from './analytics/collecting.ts'
import * as analyticsCompared from './analytics/compared.ts'
import * as analyticsCompetitors from './analytics/competitors.ts'
import * as analyticsEvents from './analytics/events.ts'
import * as analyticsGoals from './analytics/goals.ts'
import * as analyticsHashtags from './analytics/hashtags.ts'
import * as analyticsOverview from './analytics/overview.ts'
import * as analyticsPosts from './analytics/posts.ts'
import * as analyticsReach from './analytics/reach.ts'
import * as analyticsWorked from './analytics/worked.ts'
import * as aiHelp from './aiHelp.ts'
import * as approvalLists from './approvalLists.ts'
import * as apps from './apps.ts'
import * as audit from './audit.ts'
import * as billing from './billing.ts'
import * as boosts from './boosts.ts'
import * as bulk from './bulk.ts'
import * as bulkPosts from './bulkPosts.ts'
import * as campaigns from './campaigns.ts'
import * as channels from './channels.ts'
import * as dataRights from './dataRights.ts'
import * as dashboard from './dashboard.ts'
import * as insights from './insights.ts'
import * as connect from './connect.ts'
import type { EndpointShape } from './endpoint.ts'
import * as identity from './identity.ts'
import * as inboxActions from './inbox/actions.ts'
import * as inboxCosts from './inbox/costs.ts'
import * as cannedResponses from './inbox/cannedResponses.ts'
import * as conversations from './inbox/conversations.ts'
import * as inboxCounts from './inbox/counts.ts'
import * as inboxPushes from './inbox/pushes.ts'
import * as replies from './inbox/replies.ts'
import * as inboxReplyTimes from './inbox/replyTimes.ts'
import * as inboxSettings from './inbox/settings.ts'
import * as inboxSuggestions from './inbox/suggest.ts'
import * as invites from './invites.ts'
import * as labels from './labels.ts'
import * as library from './library.ts'
import * as linkInBioFigures from './linkInBio/figures.ts'
import * as linkInBioPages from './linkInBio/pages.ts'
import * as reportAiText from './reports/aiText.ts'
import * as reportBrand from './reports/brand.ts'
import * as reportFiles from './reports/files.ts'
import * as reportLinks from './reports/links.ts'
import * as reports from './reports/reports.ts'
import * as reportSchedules from './reports/schedules.ts'
import * as linksOfPost from './links/postLinks.ts'
import * as linkSettings from './links/settings.ts'
import * as live from './live.ts'
import * as lookups from './lookups.ts'
import * as media from './media.ts'
import * as members from './members.ts'
import * as notices from './notices.ts'
import * as organizations from './organizations.ts'
import * as orgSettings from './orgSettings.ts'
import * as postNotes from './postNotes.ts'
import * as presence from './presence.ts'
import * as discussions from './discussions.ts'
import * as drafts from './drafts.ts'
import * as postLists from './postLists.ts'
import * as posts from './posts.ts'
import * as submit from './submit.ts'
import * as queues from './queues.ts'
import * as roles from './roles.ts'
import * as profile from './profile.ts'
import * as secondFactor from './secondFactor.ts'
import * as views from './views.ts'
import * as workflows from './workflows.ts'

const isEndpoint = (value: unknown): value is EndpointShape =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Every endpoint by name: what the server must register and the tests walk. */
export const api: Record<string, EndpointShape> = Object.fromEntries(
  [
    identity,
    profile,
    secondFactor,
    organizations,
    orgSettings,
    billing,
    audit,
    dataRights,
    roles,
    members,
    invites,
    channels,
    connect,
    apps,
    lookups,
    ai,
    aiHelp,
    media,
    library,
    submit,
    postLists,
    posts,
    drafts,
    bulkPosts,
    bulk,
    presence,
    linkSettings,
    linksOfPost,
    labels,
    campaigns,
    discussions,
    postNotes,
    views,
    queues,
    workflows,
    approvalLists,
    live,
    notices,
    insights,
    boosts,
    dashboard,
    analyticsOverview,
    analyticsPosts,
    analyticsCompared,
    analyticsCollecting,
    analyticsEvents,
    analyticsCompetitors,
    analyticsHashtags,
    analyticsReach,
    analyticsWorked,
    analyticsGoals,
    analyticsBrand,
    analyticsAnalysis,
    linkInBioPages,
    linkInBioFigures,
    reports,
    reportAiText,
    reportFiles,
    reportLinks,
    reportSchedules,
    reportBrand,
    conversations,
    inboxCounts,
    inboxActions,
    cannedResponses,
    inboxReplyTimes,
    inboxSettings,
    inboxCosts,
    inboxSuggestions,
    inboxPushes,
    replies,
  ].flatMap((noun) => Object.entries(noun).filter((entry): entry is [string, EndpointShape] => isEndpoint(entry[1]))),
)
