/** How often an open page asks whether there is a new build. Milliseconds. */
const HOURLY = 3_600_000

/**
 * Keeps the app's files in this browser by the service worker, once the page has loaded. Nothing happens where browsers
 * have none (plain http); in development, where files change all the time, an earlier one is removed.
 */
export function keepFiles(): void {
  if (!('serviceWorker' in navigator)) return
  const workers = navigator.serviceWorker
  if (import.meta.env.DEV)
    void workers.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))
  else if (document.readyState === 'complete') void register(workers)
  else addEventListener('load', () => void register(workers), { once: true })
}

async function register(workers: ServiceWorkerContainer): Promise<void> {
  // without it the app works as before: it only doesn't open offline
  const found = await workers.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
  if (found) setInterval(() => void found.update().catch(() => undefined), HOURLY)
}

/**
 * Runs once this browser keeps the app's files: more of them can be loaded without the network. Never runs where it keeps
 * none, or after the returned function was called.
 */
export function whenKept(run: () => void): () => void {
  if (!('serviceWorker' in navigator)) return () => undefined
  const workers = navigator.serviceWorker
  if (workers.controller) run()
  else workers.addEventListener('controllerchange', run, { once: true })
  return () => workers.removeEventListener('controllerchange', run)
}
