// seals every channel token and every authenticator app's secret with a new key and forgets the old ones: rotate-keys
import { systemClock } from '../../clock.ts'
import { command, words } from '../../db/command.ts'
import { clusterPaths } from '../../db/cluster.ts'
import { openDatabases, type Databases } from '../../db/pools.ts'
import { isDataDirectoryTaken } from '../../db/postmaster.ts'
import { withDatabase } from '../../db/withDatabase.ts'
import { asSystem } from '../../db/system.ts'
import { resealApps } from '../../apps/sealed.ts'
import { resealPushKeys } from '../../inbox/pushAddress.ts'
import { resealTotp } from '../../identity/secondFactor.ts'
import { resealClientKeys } from '../../channels/clientKey.ts'
import { addSecretKey, keepNewestKey, readSecretKeys, resealSecrets } from '../../delivery/secrets.ts'

await command(async ({ env }) => {
  words(0, 'rotate-keys')
  if (!env.ENCRYPTION_KEY && !env.DATABASE_URL && isDataDirectoryTaken(clusterPaths(env.DATA_DIR)))
    throw new Error("Stop Rookery first: while it's running, it only knows the old key.")
  return await withDatabase(env, async ({ settings }) => {
    const databases = openDatabases(settings)
    try {
      if (!env.ENCRYPTION_KEY && (await isAnyNodeAtWork(databases)))
        throw new Error(
          'Stop every Rookery node on this database first: a running node encrypts with the old key. Or use ENCRYPTION_KEY, which takes several keys.',
        )
      // with ENCRYPTION_KEY, the operator adds the new key in front, runs this, and then removes the old one
      const keys = env.ENCRYPTION_KEY
        ? readSecretKeys({ dataDir: env.DATA_DIR, encryptionKey: env.ENCRYPTION_KEY })
        : addSecretKey(env.DATA_DIR)
      let sealed = 0
      for (let some = -1; some !== 0; sealed += some)
        some = await asSystem(databases.system, (tx) => resealSecrets(tx, keys))
      await asSystem(databases.system, (tx) => resealClientKeys(tx, keys))
      await asSystem(databases.system, (tx) => resealApps(tx, keys))
      await asSystem(databases.system, (tx) => resealPushKeys(tx, keys))
      let apps = 0
      for (let some = -1; some !== 0; apps += some)
        some = await asSystem(databases.system, (tx) => resealTotp(tx, keys))
      if (!env.ENCRYPTION_KEY) keepNewestKey(env.DATA_DIR)
      return `${sealed} channel tokens and ${apps} authenticator app secrets are now encrypted with the key ${keys[0].id}.${env.ENCRYPTION_KEY ? ' The other keys of ENCRYPTION_KEY are no longer needed.' : ' Restart Rookery to use the key.'}`
    } finally {
      await databases.close()
    }
  })
})

/** A process that ends removes its row; a killed one is silent after a few heartbeats. */
async function isAnyNodeAtWork(databases: Databases): Promise<boolean> {
  const since = new Date(systemClock.now().getTime() - 60_000)
  return (
    (
      await asSystem(databases.system, (tx) =>
        tx.selectFrom('node').select('id').where('seen_at', '>', since).limit(1).execute(),
      )
    ).length > 0
  )
}
