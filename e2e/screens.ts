/**
 * What axe checks in a run of all journeys: every screen, and what opens above one. A dialog, sheet, popover or menu that
 * isn't listed fails the journey that meets it; an entry that no journey visits fails the run. What a screen or
 * dialog looks like in other states (errors, nothing yet, no permission) needs no entry: `axe` finds whatever is new.
 */

type Screen = {
  /** The route as in web/app/router.tsx, with a query if it chooses the page. */
  path: string
  /** Also visited at the width of a phone. */
  phone?: boolean
  /** A page of its own that the server sends: the web app has no route for it. */
  byServer?: true
}

type Overlay = {
  /** Its accessible name, or several of the same thing; `*` stands for what differs. */
  name: string | readonly string[]
  /** The screen it belongs to, where others have one of the same name. */
  on?: string
  /** No journey opens it yet, so nobody has to visit it. */
  unopened?: boolean
}

const project = '/$orgId/project/$projectId'
const report = `${project}/insights/report-builder/$reportId`

/** The path of a screen that no route leads to. */
export const NOWHERE = '(no route)'

export const screens: readonly Screen[] = [
  { path: '/login' },
  { path: '/signup' },
  { path: '/signup/verify', phone: true },
  { path: '/forgot-password' },
  { path: '/reset-password' },
  { path: '/onboarding', phone: true },
  { path: '/second-step', phone: true },
  { path: '/oauth/$platform/callback' },
  { path: '/profile' },
  { path: '/access-denied' },
  { path: '/unsubscribe' },
  { path: '/invite', phone: true },
  { path: '/approve/$token', phone: true },
  { path: '/payment-success', phone: true },
  { path: '/b/$slug', phone: true, byServer: true },
  { path: '/b/$slug/report', phone: true, byServer: true },
  { path: '/pricing', phone: true },
  { path: '/legal/terms-and-conditions' },
  { path: '/legal/privacy-policy' },
  { path: NOWHERE },
  { path: `${project}/dashboard`, phone: true },
  { path: `${project}/calendar`, phone: true },
  { path: `${project}/posts/$tab`, phone: true },
  { path: `${project}/posts/bulk-schedule`, phone: true },
  { path: `${project}/posts/link-in-bio`, phone: true },
  { path: `${project}/post/$postId`, phone: true },
  { path: `${project}/inbox`, phone: true },
  { path: `${project}/discussions`, phone: true },
  { path: `${project}/canned-responses`, phone: true },
  { path: `${project}/campaigns`, phone: true },
  { path: `${project}/campaigns/$campaignId`, phone: true },
  { path: `${project}/insights/$`, phone: true },
  { path: report, phone: true },
  { path: `${project}/assets`, phone: true },
  { path: `${project}/compose`, phone: true },
  { path: `${project}/channels`, phone: true },
  { path: `${project}/channels/setup`, phone: true },
  { path: `${project}/channels/links`, phone: true },
  { path: `${project}/users`, phone: true },
  { path: `${project}/roles`, phone: true },
  { path: `${project}/queues`, phone: true },
  { path: `${project}/workflows`, phone: true },
  { path: `${project}/notices`, phone: true },
  { path: `${project}/org-settings`, phone: true },
  { path: `${project}/org-settings?tab=channels`, phone: true },
  { path: `${project}/org-settings?tab=projects`, phone: true },
  { path: `${project}/org-settings?tab=users`, phone: true },
  { path: `${project}/org-settings?tab=audit`, phone: true },
  { path: `${project}/org-settings?tab=billing`, phone: true },
  { path: `${project}/profile`, phone: true },
]

export const overlays: readonly Overlay[] = [
  // the frame of a project
  { name: 'Search or jump to' },
  { name: 'Keyboard shortcuts' },
  { name: 'More' },
  { name: 'You' },
  { name: 'Projects' },
  { name: 'Notifications' },
  { name: 'New project' },
  { name: 'Unfinished uploads' },
  // plans and billing
  {
    name: [
      '*Limit Exceeded',
      "Your plan doesn't include *",
      '* only available on the Team plan.',
      'AI Credit Limit Reached',
      'Upgrade to connect X',
      'One X account is allowed on the free trial',
      'This account needs a plan',
      'Your plan has been Expired',
    ],
  },
  { name: 'Choose a plan' },
  { name: 'Summary of *' },
  { name: 'Payment' },
  { name: 'Payment method', unopened: true },
  { name: 'Upgrade to Team' },
  { name: 'Checkout summary' },
  { name: 'Switch to Individual' },
  { name: 'Switch to Annual', unopened: true },
  { name: 'Manage Limit' },
  { name: 'Change Addons' },
  { name: 'Billing details' },
  { name: 'Choose what stays active' },
  { name: 'Cancel *?' },
  { name: 'Restart *?' },
  { name: 'Keep *?' },
  // organization
  { name: 'Delete *?', on: `${project}/org-settings` },
  { name: 'Keep them for * only?', on: `${project}/org-settings` },
  { name: 'Delete *?', on: `${project}/org-settings?tab=channels` },
  { name: 'Delete *?', on: `${project}/org-settings?tab=projects` },
  { name: 'Log * out everywhere?', unopened: true },
  { name: 'Actions for *', on: `${project}/org-settings?tab=projects` },
  { name: 'Actions for *', on: `${project}/org-settings?tab=users` },
  { name: 'Filter by dates' },
  { name: ['Person', 'Action', 'Kind'] },
  // users and roles
  { name: 'Add New User' },
  { name: 'Invite User' },
  { name: 'Channel Access' },
  { name: 'Channels', on: `${project}/users` },
  { name: 'Change the role of *?' },
  { name: 'What * can do' },
  { name: 'Remove * from the organization?' },
  { name: 'Remove * from the project?' },
  { name: 'Make * an organization admin?' },
  { name: 'Remove * as organization admin?' },
  { name: 'Revoke the invitation for *?' },
  { name: 'Actions for *', on: `${project}/users` },
  { name: '*', on: `${project}/roles` },
  { name: 'Create role' },
  { name: 'Edit *', on: `${project}/roles` },
  { name: 'Delete the role *?' },
  { name: 'The role * is in use' },
  { name: 'Actions for *', on: `${project}/roles` },
  // profile
  { name: 'Adjust your picture' },
  { name: 'Add a passkey' },
  { name: 'Delete this passkey?' },
  { name: 'Set up an authenticator app' },
  { name: 'Scan the code' },
  { name: 'Save your recovery codes' },
  { name: 'Turn the authenticator app off?' },
  { name: 'Make new recovery codes?', unopened: true },
  { name: 'Your new recovery codes', unopened: true },
  { name: 'Leave *?' },
  { name: 'Delete your account?' },
  { name: 'Password requirements', unopened: true },
  // channels
  { name: 'Add Channel' },
  { name: 'Connect *' },
  { name: 'Choose * accounts' },
  { name: 'Reconnect *' },
  { name: 'Edit channel' },
  { name: 'Disable *?' },
  { name: '* *?', on: `${project}/channels` },
  { name: 'Delete *?', on: `${project}/channels` },
  { name: 'Actions for *', on: `${project}/channels` },
  { name: 'Set up *' },
  { name: 'Remove the * app?' },
  // composer
  { name: 'Publish now?' },
  { name: 'This post was changed elsewhere' },
  { name: 'This post was deleted elsewhere' },
  { name: 'Leave while files are uploading?' },
  { name: 'Hashtag groups' },
  { name: 'Delete *?', on: `${project}/compose`, unopened: true },
  { name: 'Emoji' },
  { name: 'Labels', on: `${project}/compose` },
  { name: 'Campaigns', on: `${project}/compose`, unopened: true },
  { name: 'Custom time' },
  { name: 'More options' },
  { name: 'Time zone' },
  { name: ['Date', 'From', 'To', 'Day *'] },
  { name: 'Crop or rotate' },
  { name: 'Choose thumbnail' },
  { name: 'Add from a link' },
  { name: 'Add from the library' },
  // posts
  { name: 'Post' },
  { name: 'Actions' },
  { name: 'Filter by *' },
  { name: 'Saved views' },
  { name: 'Save this view' },
  { name: 'Reschedule' },
  { name: 'Add to link in bio' },
  { name: 'Move *', unopened: true },
  { name: 'Labels for *' },
  { name: 'Delete this post?' },
  { name: 'Reject this post?' },
  { name: 'Reject * posts?', unopened: true },
  { name: 'Send this post now?' },
  { name: 'Was everything published?' },
  { name: '* not changed', on: `${project}/posts/$tab`, unopened: true },
  { name: 'Labels', on: `${project}/posts/$tab` },
  { name: 'Create label' },
  { name: 'Edit label', unopened: true },
  { name: 'Delete the label *?', unopened: true },
  { name: ['Delete this *?', 'Delete this reply?'] },
  { name: 'Promote *' },
  { name: 'Stop this promotion?' },
  { name: '*day *', on: `${project}/calendar`, unopened: true },
  { name: 'Remove this import from the list?', unopened: true },
  { name: 'Discard these rows?' },
  // link in bio
  { name: 'New page' },
  { name: 'Change address' },
  { name: 'Delete this page?' },
  { name: 'Leave without saving?' },
  { name: 'Choose a picture' },
  { name: 'Add posts' },
  { name: ['Start date', 'End date'] },
  // campaigns, queues, workflows, discussions
  { name: 'Create campaign' },
  { name: 'Edit campaign', unopened: true },
  { name: 'Delete the campaign *?' },
  { name: 'Actions for *', on: `${project}/campaigns` },
  { name: 'Actions for *', on: `${project}/campaigns/$campaignId` },
  { name: 'Add a slot on *' },
  { name: 'Times of *' },
  { name: 'Create workflow' },
  { name: 'Edit workflow' },
  { name: 'Delete *?', on: `${project}/workflows` },
  { name: 'Actions for *', on: `${project}/workflows` },
  { name: 'Start a discussion' },
  { name: 'Edit discussion', unopened: true },
  { name: 'Delete this discussion?', unopened: true },
  { name: 'More actions', unopened: true },
  // library
  { name: 'Actions for *', on: `${project}/assets` },
  { name: 'Actions for the folder *' },
  { name: 'New folder' },
  { name: 'Rename folder', unopened: true },
  { name: 'Move *', on: `${project}/assets` },
  { name: 'Delete the folder *?' },
  { name: ['*.*', 'File'], on: `${project}/assets` },
  // inbox
  { name: 'Inbox views', unopened: true },
  { name: 'Inbox settings' },
  { name: 'Sort', unopened: true },
  { name: 'Reply times' },
  { name: 'Assign to' },
  { name: 'Follow up', unopened: true },
  { name: 'Follow up on', unopened: true },
  { name: 'Add a label', unopened: true },
  { name: 'Labels', on: `${project}/inbox` },
  { name: 'Sentiment' },
  { name: 'More', on: `${project}/inbox`, unopened: true },
  { name: 'Actions for what * wrote' },
  { name: 'Edit reply' },
  { name: 'Delete what * wrote?', unopened: true },
  { name: '* * replying, too' },
  { name: '* not changed', on: `${project}/inbox`, unopened: true },
  { name: 'Create canned response' },
  { name: 'Edit canned response' },
  { name: 'Delete this canned response?' },
  { name: 'Actions for *', on: `${project}/canned-responses` },
  // insights
  { name: 'Days' },
  { name: 'Compare with', unopened: true },
  { name: 'Filter by hashtag' },
  { name: 'Columns', on: `${project}/insights/$` },
  { name: 'Add competitor', on: `${project}/insights/$` },
  { name: ['Add goal', 'Edit goal', 'Delete this goal?'], on: `${project}/insights/$` },
  { name: 'Actions for *', on: `${project}/insights/$` },
  { name: ['First day', 'Last day'], on: `${project}/insights/$`, unopened: true },
  { name: 'Channels', on: `${project}/insights/$`, unopened: true },
  { name: 'Lines of *' },
  { name: 'About *', unopened: true },
  { name: 'Not included in *', unopened: true },
  { name: 'Figures missing from *' },
  // reports
  { name: ['New report', 'Rename report', 'Delete this report?'] },
  { name: 'Add block' },
  { name: 'Days of the report' },
  { name: 'Export' },
  { name: ['Share by link', 'End this link?'] },
  { name: ['Send by email', 'New schedule', 'Edit schedule', 'Delete this schedule?'] },
  { name: 'Actions for *', on: report },
  { name: ['Figures', 'Columns'], on: report },
  { name: 'Channels', on: report, unopened: true },
  { name: ['First day', 'Last day'], on: report, unopened: true },
]

export type Entry = Screen | Overlay

/** An entry at one of the two widths, in the words of this file. */
export function keyOf(entry: Entry, isPhone: boolean): string {
  if ('path' in entry) return isPhone ? `${entry.path} on a phone` : entry.path
  const name = [entry.name].flat().join(' / ')
  return entry.on ? `${name} on ${entry.on}` : name
}

/** What a run of all journeys must have visited. */
export const everyKey = (): string[] => [
  ...screens.flatMap((screen) => [keyOf(screen, false), ...(screen.phone ? [keyOf(screen, true)] : [])]),
  ...overlays.filter(({ unopened }) => !unopened).map((overlay) => keyOf(overlay, false)),
]

/** The entry of a page's address. */
export function screenAt(url: URL): Screen {
  const found = screens
    .filter(({ path }) => isAt(path, url))
    // the one with a query, then the one whose end isn't open, then the one with the fewest parameters
    .toSorted(
      (a, b) =>
        Number(b.path.includes('?')) - Number(a.path.includes('?')) ||
        Number(a.path.endsWith('/$')) - Number(b.path.endsWith('/$')) ||
        params(a.path) - params(b.path),
    )
  return found[0] ?? { path: NOWHERE }
}

/** The entry of an open dialog or menu. Throws if it isn't listed. */
export function overlayNamed(name: string, screen: Screen): Overlay {
  const found = overlays
    .filter(({ on }) => on === undefined || on === screen.path)
    .flatMap((overlay) => [overlay.name].flat().map((pattern) => ({ overlay, pattern })))
    .filter(({ pattern }) =>
      new RegExp(
        `^${pattern
          .split('*')
          .map((part) => RegExp.escape(part))
          .join('.*')}$`,
      ).test(name),
    )
    // the one that says the most about it, then the one of this screen
    .toSorted(
      (a, b) =>
        b.pattern.length - a.pattern.length || Number(b.overlay.on !== undefined) - Number(a.overlay.on !== undefined),
    )[0]
  if (!found) throw new Error(`"${name}" on ${screen.path} isn't in e2e/screens.ts: add { name: '${name}' } there.`)
  return found.overlay
}

const params = (path: string) => path.split('$').length

function isAt(path: string, url: URL): boolean {
  const [route = '', query] = path.split('?')
  const segments = route
    .split('/')
    .map((segment) => (segment === '$' ? '.*' : segment.startsWith('$') ? '[^/]+' : RegExp.escape(segment)))
  if (!new RegExp(`^${segments.join('/')}$`).test(url.pathname)) return false
  return [...new URLSearchParams(query)].every(([key, value]) => url.searchParams.get(key) === value)
}
