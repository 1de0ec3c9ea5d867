import { startDatabase } from '../db/database.ts'
import { superviseDatabase } from '../db/supervisor.ts'

// A program for tests that kill it: runs the database of the folder in its first argument, prints a line of JSON, and
// stops it on SIGTERM. A second argument names the one way to run PostgreSQL, a third a copy of PostgreSQL to run;
// either skips the migrations.
const [dataDir = '', launcher = '', binaries = ''] = process.argv.slice(2)

const started =
  launcher || binaries
    ? await superviseDatabase({
        dataDir,
        fsync: false,
        // the tests name launchers that exist
        ...(launcher && { launcher: launcher as 'leash' }),
        ...(binaries && { binaries }),
      })
    : await startDatabase({ dataDir, fsync: false })
const supervisor = 'supervisor' in started ? started.supervisor : started

process.once('SIGTERM', () => void started.stop().then(() => process.exit(0)))
process.stdout.write(
  `${JSON.stringify({ postgres: supervisor?.pid(), launcher: supervisor?.launcher, uid: process.getuid?.() })}\n`,
)
setInterval(() => {}, 1 << 30)
