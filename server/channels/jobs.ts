import { z } from 'zod'
import { platformKeys } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { raiseNotice } from '../notices/raise.ts'
import type { ConnectParts } from './connect.ts'
import { deleteChannelJob, remindOfDeletions } from './delete.ts'
import { forgetFlows } from './flow.ts'
import { checkDueChannels } from './health.ts'
import { letGo } from './letGo.ts'
import { pictureJob } from './pictures.ts'

const Nothing = z.object({})

/** The background work of channels: deletions, the health of sign-ins, and what attempts to connect left behind. */
export function channelJobs(parts: Omit<ConnectParts, 'env'>): AnyJob[] {
  return [
    deleteChannelJob(parts),
    pictureJob(parts),
    defineJob({
      name: 'channels.check',
      payload: Nothing,
      every: '*/5 * * * *',
      run: async (context) => void (await checkDueChannels({ ...parts, notify: raiseNotice }, context)),
    }),
    defineJob({
      name: 'channels.sweep',
      payload: Nothing,
      every: '13 * * * *',
      run: async ({ databases, clock, log }) => {
        const left = await asSystem(databases.system, (tx) => forgetFlows(tx, parts.secrets, clock.now()))
        for (const { platform, accounts, ...attempt } of left) {
          const key = platformKeys.find((known) => known === platform)
          if (key) await letGo(parts, key, attempt, accounts)
        }
        const reminded = await asSystem(databases.system, (tx) => remindOfDeletions(tx, clock.now()))
        if (reminded > 0)
          log.warn({ channels: reminded }, 'deletions of channels were asked for again: nobody had carried them out')
      },
    }),
  ]
}
