import type { Clock } from '../clock.ts'
import { readEnv, type Env } from '../env.ts'
import { readSecretKeys } from '../delivery/secrets.ts'
import { lookAtAddress } from './address.ts'
import { lookAtAi, lookAtApps } from './apps.ts'
import { lookAtBackups } from './backups.ts'
import { lookAtDatabase } from './database.ts'
import { lookAtFiles } from './files.ts'
import { about, reasonOf, type Finding } from './finding.ts'
import { lookAtFolder } from './folder.ts'
import { lookAtMail } from './mail.ts'

const settings = about('Settings')

/**
 * Looks at everything that an installation depends on, and says what's wrong and what to do. Changes nothing but for an
 * object that it deletes from the bucket again; an embedded database that isn't running is started and stopped.
 */
export async function examine(variables: Record<string, string | undefined>, clock: Clock): Promise<Finding[]> {
  let env: Env
  try {
    env = readEnv(variables)
  } catch (error) {
    const wrong = error instanceof Error ? error.message.split('\n') : []
    return wrong.map((line) => settings.problem(line, 'The rest is looked at once this can be read.'))
  }
  const looks: [string, () => Promise<Finding[]> | Finding[]][] = [
    ['Settings', () => lookAtKeys(env)],
    ['Folder', () => lookAtFolder(env)],
    ['Database', () => lookAtDatabase(env, clock)],
    ['Files', () => lookAtFiles(env)],
    ['Mail', () => lookAtMail(env)],
    ['Address', () => lookAtAddress(env, clock)],
    ['Apps', () => lookAtApps(env)],
    ['AI', () => lookAtAi(env)],
    ['Backups', () => lookAtBackups(env, clock)],
  ]
  const found: Finding[] = []
  // one after the other: a look at a small machine shouldn't be what makes it slow
  for (const [name, look] of looks) found.push(...(await guarded(name, look)))
  return found
}

async function guarded(name: string, look: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    return [
      about(name).problem(`It couldn't be looked at: ${reasonOf(error)}`, 'Read the log of the app, and try again.'),
    ]
  }
}

function lookAtKeys(env: Env): Finding[] {
  if (env.ENCRYPTION_KEY === undefined) return [settings.ok('All can be read.')]
  readSecretKeys({ dataDir: env.DATA_DIR, encryptionKey: env.ENCRYPTION_KEY })
  return [settings.ok('All can be read. Keep ENCRYPTION_KEY with your backups: they are of no use without it.')]
}
