import { startDatabase } from '../db/database.ts'
import { superviseDatabase } from '../db/supervisor.ts'

// A program for tests that kill it: runs the database of the folder named first, says so in one line of JSON, and
// stops it on SIGTERM. A second word names the one way to run PostgreSQL and leaves the migrations out.
const [dataDir = '', launcher] = process.argv.slice(2)

const started = launcher
  ? // the tests name launchers that exist
    await superviseDatabase({ dataDir, launcher: launcher as 'leash', fsync: false })
  : await startDatabase({ dataDir, fsync: false })
const supervisor = 'supervisor' in started ? started.supervisor : started

process.once('SIGTERM', () => void started.stop().then(() => process.exit(0)))
process.stdout.write(
  `${JSON.stringify({ postgres: supervisor?.pid(), launcher: supervisor?.launcher, uid: process.getuid?.() })}\n`,
)
setInterval(() => {}, 1 << 30)
