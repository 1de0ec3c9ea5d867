import { z } from 'zod'
import { platformKeys } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { createNotification } from '../notifications/create.ts'
import type { ConnectDeps } from './connect.ts'
import { deleteChannelJob, remindOfDeletions } from './delete.ts'
import { forgetFlows } from './flow.ts'
import { checkDueChannels } from './health.ts'
import { revokeSignIns } from './revokeSignIns.ts'
import { pictureJob } from './pictures.ts'

const Nothing = z.object({})

/** The background work of channels: deletions, checks of sign-ins, and cleaning up attempts to connect. */
export function channelJobs(deps: Omit<ConnectDeps, 'env'>): AnyJob[] {
  return [
    deleteChannelJob(deps),
    pictureJob(deps),
    defineJob({
      name: 'channels.check',
      payload: Nothing,
      every: '*/5 * * * *',
      run: async (context) => void (await checkDueChannels({ ...deps, notify: createNotification }, context)),
    }),
    defineJob({
      name: 'channels.sweep',
      payload: Nothing,
      every: '13 * * * *',
      run: async ({ databases, clock, log }) => {
        const left = await asSystem(databases.system, (tx) => forgetFlows(tx, deps.secrets, clock.now()))
        for (const { platform, accounts, ...attempt } of left) {
          const key = platformKeys.find((known) => known === platform)
          if (key) await revokeSignIns(deps, key, attempt, accounts)
        }
        const reminded = await asSystem(databases.system, (tx) => remindOfDeletions(tx, clock.now()))
        if (reminded > 0) log.warn({ channels: reminded }, 'abandoned deletions of channels were restarted')
      },
    }),
  ]
}
