import { ensureBlueskyServer } from '../../../bin/lib/blueskyServer.js'
import { main } from '../../../bin/lib/places.js'

// Makes the real Bluesky server ready for the tests, as `npm test` does. Does nothing when that has been done.
await main(ensureBlueskyServer)
