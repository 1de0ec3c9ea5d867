const LOOK_EVERY = 500
const NOTED = 'ROOKERY_STARTED_BY'

/**
 * The process id of the npm that runs us. Undefined if npm didn't start this program: `node bin/start.js` in the
 * background, under a service manager or in a container outlives whatever started it.
 */
const npm = findNpm()

function findNpm() {
  const { [NOTED]: noted, npm_package_name: of, npm_lifecycle_event: script } = process.env
  // read once, and not passed on to what this program starts
  delete process.env[NOTED]
  if (noted !== undefined) return Number(noted)
  // Windows doesn't give an orphaned process another parent
  return process.platform !== 'win32' && of === 'rookery' && (script === 'start' || script === 'dev')
    ? process.ppid
    : undefined
}

/** What a program that replaces this process needs to know the same npm. */
export const startedBy = () => (npm === undefined ? {} : { [NOTED]: String(npm) })

/**
 * Calls back once if the npm that runs us disappears without notice. It passes SIGTERM and SIGINT on, but not SIGHUP,
 * and nothing when it's killed.
 * @param {() => void} callback
 */
export function onAbandoned(callback) {
  if (npm === undefined) return
  const timer = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(timer)
    callback()
  }, LOOK_EVERY)
  timer.unref()
}
