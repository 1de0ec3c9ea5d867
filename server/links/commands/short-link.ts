// turns a short link off or on: short-link block|unblock <address>
import { command, words } from '../../db/command.ts'
import { openDatabases } from '../../db/pools.ts'
import { withDatabase } from '../../db/withDatabase.ts'
import { setShortLinkBlocked } from '../block.ts'

const USAGE = 'short-link block|unblock <address>'

await command(async ({ env, clock }) => {
  const [verb, address = '', ...rest] = words(Infinity, USAGE)
  const code = codeOf(address)
  if ((verb !== 'block' && verb !== 'unblock') || code === '' || rest.length > 0)
    throw new Error(`Usage: npm run rookery -- ${USAGE}`)
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      const url = await setShortLinkBlocked(databases, code, verb === 'block' ? clock.now() : null)
      if (url === undefined) throw new Error(`There is no short link ${code}.`)
      return verb === 'block'
        ? `The short link to ${url} is off. Every node knows within a minute.`
        : `The short link leads to ${url} again.`
    } finally {
      await databases.close()
    }
  })
})

/** The last part of an address, or that alone. */
function codeOf(given: string): string {
  return (/(?:^|\/s\/)([^/?#]+)\/?(?:[?#].*)?$/.exec(given)?.[1] ?? '').toLowerCase()
}
