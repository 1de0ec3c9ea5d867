import { mkdirSync, rmSync } from 'node:fs'
import { Server } from 'node:net'
import { join } from 'node:path'
import { PDS, envToCfg, envToSecrets } from '@atproto/pds'
import plc from '@did-plc/server'

// Runs the directory of identities in memory and the Bluesky server on disk, both on loopback, until stdin ends, so
// that nothing outlives the test that started it. Its one line on stdout says that both are ready, and
// where the directory is.
const options = JSON.parse(process.argv[2] ?? '{}')

// these programs listen on every interface, where a server of tests has no business
const plain = Object.getOwnPropertyDescriptor(Server.prototype, 'listen').value
Server.prototype.listen = function listen(port, ...rest) {
  const isOpen = typeof port === 'number' && typeof rest[0] !== 'string'
  return isOpen ? plain.call(this, port, '127.0.0.1', ...rest) : plain.call(this, port, ...rest)
}

const directory = plc.PlcServer.create({ db: plc.Database.mock(), port: 0 })
const directoryServer = await directory.start()
// by name: the server refuses to ask addresses
const didPlcUrl = `http://localhost:${directoryServer.address().port}`

const network = options.network && (await (await import('./appView.js')).introduce({ ...options.network, didPlcUrl }))

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
  didPlcUrl,
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
  ...(network && { bskyAppViewUrl: network.url, bskyAppViewDid: network.did }),
}
const pds = await PDS.create(envToCfg(env), envToSecrets(env))
await pds.start()
await network?.start(`ws://localhost:${options.port}`)

process.stdin.resume().once('end', () => {
  rmSync(options.dataDir, { recursive: true, force: true })
  process.exit(0)
})
process.stdout.write(`${JSON.stringify({ directory: didPlcUrl })}\n`)
