import { oauthClientMetadataSchema } from '@atproto/oauth-types'
import { Client } from './node_modules/@atproto/oauth-provider/dist/client/client.js'
import { ClientManager } from './node_modules/@atproto/oauth-provider/dist/client/client-manager.js'

// Judges the description of an OAuth client, and the assertion by which it proves who it is, by the server's own code:
// judgeClient <client id> <description> [<assertion> <issuer>]
const [clientId, description, assertion, issuer] = process.argv.slice(2)
const known = {
  grant_types_supported: ['authorization_code', 'refresh_token'],
  scopes_supported: ['atproto', 'transition:generic'],
}

try {
  const manager = new ClientManager(known, undefined, {}, null, null, fetch, undefined, undefined)
  const metadata = manager.validateClientMetadata(clientId, oauthClientMetadataSchema.parse(JSON.parse(description)))
  if (assertion) {
    const input = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }
    await new Client(clientId, metadata, undefined, { isFirstParty: false, isTrusted: false }).authenticate(input, {
      authorizationServerIdentifier: issuer,
    })
  }
  console.log('accepted')
} catch (error) {
  console.log(String(error.message).replaceAll('\n', ' '))
}
