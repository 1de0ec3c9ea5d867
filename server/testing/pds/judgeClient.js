import { oauthClientMetadataSchema } from '@atproto/oauth-types'
import { ClientManager } from './node_modules/@atproto/oauth-provider/dist/client/client-manager.js'

// Judges the description of an OAuth client by the server's own schema and rules: judgeClient <client id> <description>
const [clientId, description] = process.argv.slice(2)
const known = { grant_types_supported: ['authorization_code', 'refresh_token'], scopes_supported: ['atproto', 'transition:generic'] }

try {
  const manager = new ClientManager(known, undefined, {}, null, null, fetch, undefined, undefined)
  manager.validateClientMetadata(clientId, oauthClientMetadataSchema.parse(JSON.parse(description)))
  console.log('accepted')
} catch (error) {
  console.log(String(error.message).replaceAll('\n', ' '))
}
