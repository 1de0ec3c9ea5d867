// says what is wrong with this installation (settings, database, files, mail, address, clock, apps, backups) and what to do: doctor
import { words } from '../../db/command.ts'
import { systemClock } from '../../clock.ts'
import { allVariables } from '../../env.ts'
import { examine } from '../examine.ts'
import { report } from '../finding.ts'

try {
  words(0, 'doctor')
  const found = await examine(allVariables(), systemClock)
  process.stdout.write(`${report(found)}\n`)
  if (found.some(({ state }) => state === 'problem')) process.exitCode = 1
} catch (error) {
  process.exitCode = 1
  process.stderr.write(`${error instanceof Error ? error.message : 'It failed'}\n`)
}
