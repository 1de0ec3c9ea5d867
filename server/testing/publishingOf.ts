import { isAsApproved } from '../approvals/guard.ts'
import { createNotification } from '../notifications/create.ts'
import type { Platform } from '../platforms/platform.ts'
import { startPublishing, type Publishing, type PublishingDeps } from '../publishing/start.ts'
import type { TestApp } from './startApp.ts'

/** Longer than any test advances its clock. Milliseconds. */
export const WEEKS = 2_000_000_000

/**
 * Starts publishing for an app under test, with its clock. Lateness, heartbeat and watchdog don't depend on real time,
 * and posts have no files, unless `changed` says otherwise.
 */
export const publishingOf = (
  { parts }: Pick<TestApp, 'parts'>,
  platforms: readonly Platform[],
  changed: Partial<PublishingDeps> = {},
): Promise<Publishing> =>
  startPublishing({
    isAsApproved,
    databases: parts.databases,
    clock: parts.clock,
    platforms,
    secrets: parts.secrets,
    media: async () => new Map(),
    fetch: parts.fetch,
    notify: createNotification,
    log: parts.log,
    ...changed,
    options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: WEEKS, ...changed.options },
  })
