import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Apps } from './apps/apps.ts'
import type { Payments } from './billing/provider.ts'
import type { Clicks } from './clicks/clicks.ts'
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

/** What every module is built from. Created once: by main.ts for the product, by testing/startApp.ts for a test. */
export type Dependencies = {
  env: Env
  clock: Clock
  databases: Databases
  mailer: Mailer
  /** The only way out to the network. */
  fetch: SafeFetch
  /** A platform's adapter, or undefined if there's none yet. */
  platforms: (key: PlatformKey) => Platform | undefined
  /** Which app signs people in at a platform. */
  apps: Apps
  /** The keys that encrypt channel tokens. */
  secrets: SecretKeys
  /** Where files' bytes are stored. */
  media: MediaStore
  uploads: UploadContext
  /** Where organizations' data exports are stored. */
  exports: ExportFiles
  human: HumanCheck
  /** Who takes the money. */
  payments: Payments
  live: LiveHub
  /** Counts views of public pages and clicks on links. */
  clicks: Clicks
  /** Records security events of accounts and organizations. */
  security: SecurityLog
  /** The operator's log. Never pass it a token, a password or a code. */
  log: Log
}
