import { ensureInstalled } from './install.js'

/** Installs the real Bluesky server for tests into its own folder. Its SQLite is Node's (server/testing/pds/sqlite.js). */
export const ensureBlueskyServer = () =>
  ensureInstalled('server/testing/pds', 'Installing the Bluesky server for tests (the first time only)', {
    quiet: true,
  })
