import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Problem } from './places.js'
import { progress } from './progress.js'
import { run } from './run.js'

// the headless shell first: it plays the same journeys with less work
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The browser's path, or undefined. CHROMIUM_PATH names one in another place. */
function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = [
    process.env.CHROMIUM_PATH,
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
  ]
  return candidates.find((path) => path && isExecutable(path))
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // missing or not executable for us: the next one
    return false
  }
}

/** Finds the browser, or installs Debian's headless shell when we are root; otherwise one line says what is missing. */
export async function ensureChromium() {
  const found = findChromium()
  if (found) return found
  const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!mayInstall)
    throw new Problem('The browser tests need Chromium: apt-get install chromium-headless-shell, or set CHROMIUM_PATH.')
  const shown = progress('Installing Chromium for the browser tests')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { capture: true, env })
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', 'chromium-headless-shell', 'fonts-noto-color-emoji'],
    {
      capture: true,
      env,
    },
  )
  const installed = findChromium()
  if (code === 0 && installed) {
    shown.done()
    return installed
  }
  shown.failed()
  throw new Problem(`${output.slice(-1500)}\nThe browser tests need Chromium, and apt-get couldn't install it.`)
}
