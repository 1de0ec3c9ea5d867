import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { home, myPermissions, plan } from '#contract/organizations.ts'
import { whereTo } from '#web/features/onboarding/whereTo.ts'
import { callOptions } from '#web/lib/queries.ts'
import { enter, needs, needsOrgAdmin } from './needs.ts'
import { Root } from './Root.tsx'
import { screen } from './screen.tsx'
import type { readAhead as readAheadOfInsights } from './screens/insights/readAhead.ts'
import { NotFoundInside } from './shell/NotFoundInside.tsx'
import NotFoundScreen from './screens/NotFoundScreen.tsx'
import ServerErrorScreen from './screens/ServerErrorScreen.tsx'
import * as search from './search.ts'

const root = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFoundScreen,
  errorComponent: ServerErrorScreen,
})

// --- without a project

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // /onboarding decides: it finds the step to finish or the last project
    throw redirect({ to: '/onboarding', replace: true })
  },
})
const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: search.LoginPageSearch,
  component: screen(() => import('./screens/LoginScreen.tsx')),
})
const signup = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: search.SignupSearch,
  component: screen(() => import('./screens/SignupScreen.tsx')),
})
const verify = createRoute({
  getParentRoute: () => root,
  path: '/signup/verify',
  validateSearch: search.VerifySearch,
  component: screen(() => import('./screens/VerifyScreen.tsx')),
})
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  validateSearch: search.ForgotPasswordSearch,
  component: screen(() => import('./screens/ForgotPasswordScreen.tsx')),
})
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: search.ResetPasswordSearch,
  component: screen(() => import('./screens/ResetPasswordScreen.tsx')),
})
const onboarding = createRoute({
  getParentRoute: () => root,
  path: '/onboarding',
  validateSearch: search.OnboardingSearch,
  // checked first: people who aren't logged in, or have a project to open, never load the wizard
  beforeLoad: async ({ context: { queries }, abortController: { signal } }) => {
    const answer = await queries.fetchQuery(callOptions(home, {}, { staleTime: 0 })).catch(() => undefined)
    signal.throwIfAborted()
    const to = answer && whereTo(answer)
    if (to?.kind === 'project')
      throw redirect({
        to: '/$orgId/project/$projectId/dashboard',
        params: { orgId: to.orgId, projectId: to.projectId },
        replace: true,
      })
  },
  component: screen(() => import('./screens/OnboardingScreen.tsx')),
})
const secondStep = createRoute({
  getParentRoute: () => root,
  path: '/second-step',
  validateSearch: search.SecondStepSearch,
  component: screen(() => import('./screens/SecondStepScreen.tsx')),
})
const oauthCallback = createRoute({
  getParentRoute: () => root,
  path: '/oauth/$platform/callback',
  validateSearch: search.OAuthSearch,
  component: screen(() => import('./screens/OAuthCallbackScreen.tsx')),
})
const ownProfile = createRoute({
  getParentRoute: () => root,
  path: '/profile',
  component: screen(() => import('./StandaloneProfile.tsx')),
})
const accessDenied = createRoute({
  getParentRoute: () => root,
  path: '/access-denied',
  validateSearch: search.AccessDeniedSearch,
  component: screen(() => import('./screens/AccessDeniedScreen.tsx')),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: '/unsubscribe',
  validateSearch: search.UnsubscribeSearch,
  component: screen(() => import('./screens/UnsubscribeScreen.tsx')),
})
const invite = createRoute({
  getParentRoute: () => root,
  path: '/invite',
  validateSearch: search.InviteSearch,
  component: screen(() => import('./screens/InviteScreen.tsx')),
})
const approve = createRoute({
  getParentRoute: () => root,
  path: '/approve/$token',
  component: screen(() => import('./screens/ApproveScreen.tsx')),
})
const paymentSuccess = createRoute({
  getParentRoute: () => root,
  path: '/payment-success',
  component: screen(() => import('./screens/PaymentSuccessScreen.tsx')),
})
const pricing = createRoute({
  getParentRoute: () => root,
  path: '/pricing',
  component: screen(() => import('./screens/PricingScreen.tsx')),
})
const terms = createRoute({
  getParentRoute: () => root,
  path: '/legal/terms-and-conditions',
  component: screen(() => import('./screens/TermsScreen.tsx')),
})
const privacy = createRoute({
  getParentRoute: () => root,
  path: '/legal/privacy-policy',
  component: screen(() => import('./screens/PrivacyScreen.tsx')),
})

// --- inside a project

const project = createRoute({
  getParentRoute: () => root,
  path: '/$orgId/project/$projectId',
  validateSearch: search.ProjectSearch,
  notFoundComponent: NotFoundInside,
  component: screen(() => import('./shell/Shell.tsx')),
  loader: ({ context: { queries }, params }) => {
    // started while the screen's code is loading; the shell waits for neither
    void queries.prefetchQuery(callOptions(home, {}))
    void queries.prefetchQuery(callOptions(myPermissions, { params }))
    // it decides whether there's a line above the page
    void queries.prefetchQuery(callOptions(plan, { params: { orgId: params.orgId } }, { handles: true }))
  },
})
const projectStart = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$orgId/project/$projectId/dashboard', params, replace: true })
  },
})
const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/dashboard',
  validateSearch: search.DashboardSearch,
  component: screen(() => import('./screens/DashboardScreen.tsx')),
})
const calendar = createRoute({
  getParentRoute: () => project,
  path: '/calendar',
  ...needs(['post', 'view']),
  validateSearch: search.CalendarSearch,
  component: screen(() => import('./screens/CalendarScreen.tsx')),
})
const posts = createRoute({
  getParentRoute: () => project,
  path: '/posts/$tab',
  staticData: { needs: [['post', 'view']] },
  beforeLoad: (entering) => enter(entering, [['post', 'view']]),
  validateSearch: search.PostsSearch,
  component: screen(() => import('./screens/PostsScreen.tsx')),
})
const postsStart = createRoute({
  getParentRoute: () => project,
  path: '/posts',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$orgId/project/$projectId/posts/$tab', params: { ...params, tab: 'posts' }, replace: true })
  },
})
const post = createRoute({
  getParentRoute: () => project,
  path: '/post/$postId',
  component: screen(() => import('./screens/PostScreen.tsx')),
})
const inbox = createRoute({
  getParentRoute: () => project,
  path: '/inbox',
  ...needs(['inbox', 'view']),
  validateSearch: search.InboxSearch,
  component: screen(() => import('./screens/InboxScreen.tsx')),
})
const discussions = createRoute({
  getParentRoute: () => project,
  path: '/discussions',
  ...needs(['note', 'view']),
  validateSearch: search.DiscussionsSearch,
  component: screen(() => import('./screens/DiscussionsScreen.tsx')),
})
const cannedResponses = createRoute({
  getParentRoute: () => project,
  path: '/canned-responses',
  ...needs(['canned_response', 'view']),
  validateSearch: search.CannedResponsesSearch,
  component: screen(() => import('./screens/CannedResponsesScreen.tsx')),
})
const campaigns = createRoute({
  getParentRoute: () => project,
  path: '/campaigns',
  ...needs(['campaign', 'view']),
  validateSearch: search.CampaignsSearch,
  component: screen(() => import('./screens/CampaignsScreen.tsx')),
})
const campaign = createRoute({
  getParentRoute: () => project,
  path: '/campaigns/$campaignId',
  staticData: { needs: [['campaign', 'view']] },
  beforeLoad: (entering) => enter(entering, [['campaign', 'view']]),
  validateSearch: search.CampaignSearch,
  component: screen(() => import('./screens/CampaignScreen.tsx')),
})
let readAhead: typeof readAheadOfInsights | undefined
const loadReadAhead = async () => (readAhead ??= (await import('./screens/insights/readAhead.ts')).readAhead)
const insights = createRoute({
  getParentRoute: () => project,
  path: '/insights/$',
  staticData: { needs: [['insights', 'view']] },
  beforeLoad: (entering) => enter(entering, [['insights', 'view']]),
  validateSearch: search.InsightsSearch,
  loader: ({ context: { queries }, params, location, cause }) => {
    // the screen reads what its filters change to
    if (cause === 'stay' || !['', 'insights'].includes(params._splat ?? '')) return undefined
    // no wait for code that is there: the call is on its way before anything is drawn
    const read = async () => await (readAhead ?? (await loadReadAhead()))(queries, params, location.search)
    // the screen says that its code can't be loaded
    return read().catch(() => undefined)
  },
  component: screen(() => import('./screens/InsightsScreen.tsx'), loadReadAhead),
})
const report = createRoute({
  getParentRoute: () => project,
  path: '/insights/report-builder/$reportId',
  staticData: { needs: [['insights', 'view']] },
  beforeLoad: (entering) => enter(entering, [['insights', 'view']]),
  validateSearch: search.ReportSearch,
  component: screen(() => import('./screens/insights/ReportScreen.tsx')),
})
const compose = createRoute({
  getParentRoute: () => project,
  path: '/compose',
  ...needs(['post', 'create'], ['post', 'edit']),
  validateSearch: search.ComposeSearch,
  component: screen(() => import('./screens/ComposeScreen.tsx')),
})
const channels = createRoute({
  getParentRoute: () => project,
  path: '/channels',
  ...needs(['channel', 'view']),
  validateSearch: search.ChannelsSearch,
  component: screen(() => import('./screens/ChannelsScreen.tsx')),
})
const channelSetup = createRoute({
  getParentRoute: () => project,
  path: '/channels/setup',
  ...needsOrgAdmin(['org_settings', 'view']),
  validateSearch: search.ChannelSetupSearch,
  component: screen(() => import('./screens/ChannelSetupScreen.tsx')),
})
const linkSettings = createRoute({
  getParentRoute: () => project,
  path: '/channels/links',
  ...needs(['post', 'view']),
  component: screen(() => import('./screens/LinkSettingsScreen.tsx')),
})
const notices = createRoute({
  getParentRoute: () => project,
  path: '/notices',
  validateSearch: search.NoticesSearch,
  component: screen(() => import('./screens/NoticesScreen.tsx')),
})
const users = createRoute({
  getParentRoute: () => project,
  path: '/users',
  ...needs(['user', 'view']),
  validateSearch: search.UsersSearch,
  component: screen(() => import('./screens/UsersScreen.tsx')),
})
const roles = createRoute({
  getParentRoute: () => project,
  path: '/roles',
  ...needs(['role', 'view']),
  validateSearch: search.RolesSearch,
  component: screen(() => import('./screens/RolesScreen.tsx')),
})
const assets = createRoute({
  getParentRoute: () => project,
  path: '/assets',
  ...needs(['asset_library', 'view']),
  validateSearch: search.AssetsSearch,
  component: screen(() => import('./screens/AssetsScreen.tsx')),
})
const queues = createRoute({
  getParentRoute: () => project,
  path: '/queues',
  ...needs(['queue', 'view']),
  validateSearch: search.QueuesSearch,
  component: screen(() => import('./screens/QueuesScreen.tsx')),
})
const workflows = createRoute({
  getParentRoute: () => project,
  path: '/workflows',
  ...needs(['workflow', 'view']),
  validateSearch: search.WorkflowsSearch,
  component: screen(() => import('./screens/WorkflowsScreen.tsx')),
})
const orgSettings = createRoute({
  getParentRoute: () => project,
  path: '/org-settings',
  ...needsOrgAdmin(['org_settings', 'view']),
  validateSearch: search.OrgSettingsSearch,
  component: screen(() => import('./screens/OrgSettingsScreen.tsx')),
})
const profile = createRoute({
  getParentRoute: () => project,
  path: '/profile',
  component: screen(() => import('./screens/ProfileScreen.tsx')),
})

/** Every component of the design system on one page, in development only: production builds don't contain it. */
const gallery = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/gallery',
        component: screen(() => import('./gallery/Gallery.tsx')),
      }),
    ]
  : []

const routes = root.addChildren([
  start,
  login,
  signup,
  verify,
  forgotPassword,
  resetPassword,
  onboarding,
  secondStep,
  oauthCallback,
  ownProfile,
  accessDenied,
  unsubscribe,
  invite,
  approve,
  paymentSuccess,
  pricing,
  terms,
  privacy,
  project.addChildren([
    projectStart,
    dashboard,
    calendar,
    postsStart,
    posts,
    post,
    inbox,
    discussions,
    cannedResponses,
    campaigns,
    campaign,
    insights,
    report,
    assets,
    compose,
    channels,
    channelSetup,
    linkSettings,
    users,
    roles,
    queues,
    workflows,
    notices,
    orgSettings,
    profile,
  ]),
  ...gallery,
])

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { queries },
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    scrollRestoration: true,
    defaultPreload: 'intent',
    // the query cache decides what is fresh, not the router
    defaultPreloadStaleTime: 0,
    defaultNotFoundComponent: NotFoundScreen,
    // no default error component: errors reach the root's, which shows the server error page alone
  })
}

const { readSearch, writeSearch } = search

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
