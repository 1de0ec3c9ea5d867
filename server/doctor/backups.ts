import type { Clock } from '../clock.ts'
import { lastBackup } from '../db/lastBackup.ts'
import type { Env } from '../env.ts'
import { about, type Finding } from './finding.ts'

const { ok, warning } = about('Backups')
const DAY = 86_400_000
/** Days after which a backup is too old to lose what was made since. */
const OLD = 7

/** When this installation was backed up last, by its own commands. */
export function lookAtBackups(env: Env, clock: Clock): Finding[] {
  const last = lastBackup(env.DATA_DIR)
  const days = last && Math.floor((clock.now().getTime() - Date.parse(last.takenAt)) / DAY)
  const todo = `Run it daily, to another machine: npm run rookery -- ${env.DATABASE_URL === undefined ? 'backup' : 'dump'} <target>. If something else backs this installation up, try a restore now and then.`
  if (last === undefined || days === undefined)
    return [warning("Rookery's own commands have made no backup of this installation.", todo)]
  const made = `The last backup is from ${last.takenAt.slice(0, 16).replace('T', ' ')} UTC, in ${last.target}`
  return [days > OLD ? warning(`${made}, ${days} days ago.`, todo) : ok(`${made}.`)]
}
