import { z } from 'zod'
import { Done, Instant, OrgParams } from './common.ts'
import { endpoint, orgAdmins } from './endpoint.ts'
import { AppKey, PlatformKey } from './platforms/rules.ts'

/**
 * Whose app signs people in at a platform: the organization's own, the installation's, the simulators' in development,
 * none yet; or none is needed, and `unavailable` if this Rookery can't use the platform at all.
 */
export const appStates = ['organization', 'installation', 'simulated', 'missing', 'unneeded', 'unavailable'] as const

export const PlatformApp = z.object({
  /** Which app: the platform's name, or the name of another app there, such as `linkedin_pages`. */
  app: AppKey,
  platform: PlatformKey,
  state: z.enum(appStates),
  /** Of the app in use. The secret is never returned. */
  clientId: z.string().nullable(),
  /** Who entered the organization's own, and when. */
  setBy: z.string().nullable(),
  setAt: Instant.nullable(),
  /** The redirect URL that has to be allowed at the platform. */
  redirectUri: z.url(),
  /** Where the app's platforms send notifications of comments and messages, to be entered there. Empty without an app. */
  webhooks: z.array(z.object({ platform: PlatformKey, url: z.url() })),
  /** What a platform that verifies these URLs asks for. Null for others, and for the installation's app. */
  verifyToken: z.string().nullable(),
  /** Where the platform sends people's requests to delete their data; null where it sends none. */
  deletionUrl: z.url().nullable(),
  /** The platform requires a public HTTPS URL, and PUBLIC_URL isn't one. */
  wantsHttps: z.boolean(),
  /** The app uses the platform's sandbox, where nothing is really published. Always false if there is none. */
  sandbox: z.boolean(),
  /** Channels of the organization connected with its own app: without it, their sign-ins can't be renewed. */
  channels: z.int(),
})
export type PlatformApp = z.infer<typeof PlatformApp>

const AppParams = OrgParams.extend({ app: AppKey })

export const listApps = endpoint({
  method: 'GET',
  path: '/api/:orgId/apps',
  summary: 'List the platform apps and who set them up',
  access: orgAdmins,
  cost: 'light',
  reads: ['app'],
  params: OrgParams,
  reply: z.object({ apps: z.array(PlatformApp) }),
  audit: null,
})

const oneLine = (wanted: string, tooLong: string) =>
  z
    .string()
    .trim()
    .min(1, wanted)
    .max(1000, tooLong)
    .regex(/^[\x21-\x7e]+$/, "Copy it again. It contains spaces or characters that platforms don't use")
export const AppCredentials = z.object({
  clientId: oneLine('Enter the ID', 'This ID is too long'),
  clientSecret: oneLine('Enter the secret', 'This secret is too long'),
  /** Use the platform's sandbox. Refused if it has none. */
  sandbox: z.boolean().default(false),
})

export const putApp = endpoint({
  method: 'PUT',
  path: '/api/:orgId/apps/:app',
  summary:
    "Save the organization's own app for a platform. It takes precedence over the installation's app. The secret is never returned",
  access: orgAdmins,
  cost: 'light',
  changes: ['app'],
  params: AppParams,
  body: AppCredentials,
  reply: Done.extend({ app: PlatformApp }),
  errors: ['APP_NOT_TAKEN', 'BAD_INPUT'],
  audit: { action: 'set', entity: 'app' },
})
export const deleteApp = endpoint({
  method: 'DELETE',
  path: '/api/:orgId/apps/:app',
  summary:
    "Remove the organization's own app for a platform. Its channels need to be reconnected when their sign-ins expire",
  access: orgAdmins,
  cost: 'light',
  changes: ['app'],
  params: AppParams,
  reply: Done.extend({ app: PlatformApp }),
  errors: ['NOT_FOUND'],
  audit: { action: 'removed', entity: 'app' },
})
