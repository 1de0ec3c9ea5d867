import { Client } from '@did-plc/lib'
import { Secp256k1Keypair } from '@atproto/crypto'
import { BskyAppView, DataPlaneServer, Database, RepoSubscription, ServerConfig } from '@atproto/bsky'

/*
 * The real app view of Bluesky, put together as @atproto/dev-env puts it together, without what serves the whole network:
 * moderation, mutes that are kept elsewhere (bsync), feeds of others. It reads the server's firehose into PostgreSQL and
 * answers the server's calls about posts, threads and notifications.
 */

const SCHEMA = 'appview'

/** Gives it an identity, which the server asks for. `start` begins reading and answering. */
export async function introduce({ database, port, dataPort, didPlcUrl }) {
  const key = await Secp256k1Keypair.create()
  const url = `http://localhost:${port}`
  const client = new Client(didPlcUrl)
  const did = await client.createDid({
    signingKey: key.did(),
    rotationKeys: [key.did()],
    handle: 'bsky.test',
    pds: url,
    signer: key,
  })
  await client.updateData(did, key, (data) => {
    data.services.bsky_notif = { type: 'BskyNotificationService', endpoint: url }
    data.services.bsky_appview = { type: 'BskyAppView', endpoint: url }
    return data
  })
  return { url, did, start: (firehose) => start({ database, port, dataPort, didPlcUrl, key, did, firehose }) }
}

async function start({ database, port, dataPort, didPlcUrl, key, did, firehose }) {
  const migrating = new Database({ url: database, schema: SCHEMA })
  await migrating.migrateToLatestOrThrow()
  await migrating.close()
  const db = new Database({ url: database, schema: SCHEMA, poolSize: 10 })
  const dataPlane = await DataPlaneServer.create(db, dataPort, didPlcUrl, globalThis.fetch)
  // names under .test are in no directory of the internet; the server knows them
  dataPlane.idResolver.handle.resolve = async (handle) => {
    const url = `${firehose.replace(/^ws/, 'http')}/xrpc/com.atproto.identity.resolveHandle?handle=${handle}`
    return (await (await fetch(url)).json()).did
  }
  const config = new ServerConfig({
    version: 'unknown',
    port,
    didPlcUrl,
    publicUrl: 'https://bsky.public.url',
    serverDid: did,
    alternateAudienceDids: [],
    dataplaneUrls: [`http://localhost:${dataPort}`],
    dataplaneHttpVersion: '1.1',
    // nobody answers there: mutes and what was seen are kept elsewhere
    bsyncUrl: 'http://localhost:1',
    bsyncApiKey: 'none',
    bsyncHttpVersion: '1.1',
    modServiceDid: 'did:example:nobody',
    labelsFromIssuerDids: [],
    bigThreadUris: new Set(),
    maxThreadParents: 50,
    disableSsrfProtection: true,
    searchTagsHide: new Set(),
    searchTagsHideAll: new Set(),
    threadTagsBumpDown: new Set(),
    threadTagsHide: new Set(),
    visibilityTagHide: '',
    visibilityTagRankPrefix: '',
    debugFieldAllowedDids: new Set(),
    draftsLimit: 500,
    feedGenSkeletonTimeout: 5000,
    adminPasswords: ['admin'],
    etcdHosts: [],
  })
  const server = BskyAppView.create({ config, signingKey: key })
  await server.start()
  void new RepoSubscription({ service: firehose, db, idResolver: dataPlane.idResolver }).start()
}
