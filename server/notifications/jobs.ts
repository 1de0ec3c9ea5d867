import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import { installationSecret } from '../secret.ts'
import { sendNotificationMails } from './sendMails.ts'
import { UNSUBSCRIBE } from './unsubscribe.ts'

/** The background work of notifications: every minute, the emails that are due. */
export function notificationJobs({ env, mailer }: Pick<Dependencies, 'env' | 'mailer'>): AnyJob[] {
  const facts = { publicUrl: env.publicUrl, secret: installationSecret(env, UNSUBSCRIBE) }
  return [
    defineJob({
      name: 'notices.mail',
      payload: z.object({}),
      every: '* * * * *',
      run: ({ databases, clock, log, signal }) =>
        sendNotificationMails({ databases, clock, log, signal, mailer, facts }),
    }),
  ]
}
