import { createServer } from 'node:http'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PDS, envToCfg, envToSecrets } from '@atproto/pds'
import plc from '@did-plc/server'

// Runs the directory of identities in memory and the Bluesky server on disk, both on loopback, until stdin ends, so
// that nothing outlives the test that started it. Its one line on stdout says that both are ready, and
// where the directory is.
const options = JSON.parse(process.argv[2] ?? '{}')

/** Both programs listen on every interface; a server of tests has no business there. */
const onLoopback = (app) => {
  app.listen = (port, callback) => createServer(app).listen(port, '127.0.0.1', callback)
  return app
}

const directory = plc.PlcServer.create({ db: plc.Database.mock(), port: 0 })
onLoopback(directory.app)
const directoryServer = await directory.start()

const data = join(options.dataDir, 'pds')
mkdirSync(join(data, 'blobs'), { recursive: true })
const env = {
  port: options.port,
  hostname: 'localhost',
  devMode: true,
  disableSsrfProtection: true,
  dataDirectory: data,
  blobstoreDiskLocation: join(data, 'blobs'),
  blobUploadLimit: 52_428_800,
  // by name: the server refuses to ask addresses
  didPlcUrl: `http://localhost:${directoryServer.address().port}`,
  idResolverTimeout: 500,
  inviteRequired: false,
  enableDidDocWithSession: true,
  jwtSecret: options.jwtSecret,
  adminPassword: options.adminPassword,
  plcRotationKeyK256PrivateKeyHex: options.rotationKey,
  serviceHandleDomains: ['.test'],
  rateLimitsEnabled: options.rateLimits === true,
  crawlers: [],
  ...(options.appView && { bskyAppViewUrl: options.appView, bskyAppViewDid: 'did:web:appview.test' }),
}
const pds = await PDS.create(envToCfg(env), envToSecrets(env))
onLoopback(pds.app)
await pds.start()

process.stdin.resume().once('end', () => process.exit(0))
process.stdout.write(`${JSON.stringify({ directory: env.didPlcUrl })}\n`)
