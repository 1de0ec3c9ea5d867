import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from './apps/apps.ts'
import type { Payments } from './billing/provider.ts'
import type { SecretKeys } from './delivery/secrets.ts'
import type { Clock } from './clock.ts'
import type { ExportFiles } from './dataRights/files.ts'
import type { Databases } from './db/pools.ts'
import type { Env } from './env.ts'
import type { HumanCheck } from './identity/humanCheck.ts'
import type { LiveHub } from './live/hub.ts'
import type { Log } from './log.ts'
import type { Mailer } from './mail/mailer.ts'
import type { MediaStore } from './media/store.ts'
import type { UploadContext } from './media/uploads.ts'
import type { Platform } from './platforms/platform.ts'
import type { SafeFetch } from './platforms/safeFetch.ts'
import type { SecurityLog } from './security.ts'

/** What every module is built from. Made once: by main.ts for the product, by testing/startApp.ts for a test. */
export type Dependencies = {
  env: Env
  clock: Clock
  databases: Databases
  mailer: Mailer
  /** The one way out to the network. */
  fetch: SafeFetch
  /** The adapter of a platform, or undefined for one that has none yet. */
  platforms: (key: PlatformKey) => Platform | undefined
  /** Which app signs people in at a platform. */
  apps: Apps
  /** The keys that channel tokens are sealed with. */
  secrets: SecretKeys
  /** Where files' bytes are kept. */
  media: MediaStore
  uploads: UploadContext
  /** Where copies of organizations' data are kept. */
  exports: ExportFiles
  human: HumanCheck
  /** Who takes the money. */
  payments: Payments
  live: LiveHub
  /** Keeps what happened to the security of accounts and organizations. */
  security: SecurityLog
  /** Tells what a person who runs the server should see. Never hand it a token, a password or a code. */
  log: Log
}
