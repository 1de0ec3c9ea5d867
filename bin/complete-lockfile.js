import { readFileSync, writeFileSync } from 'node:fs'
import { at, main, Problem } from './lib/places.js'

// npm leaves a platform's optional package out of the lockfile if its registry doesn't have it, and then refuses `npm
// ci` with that lockfile on every machine. This adds the missing entries; `--check` only looks for them. Run it after
// anything that changes package-lock.json.
await main(async () => {
  const file = at('package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingEntries(lock.packages)
  if (missing.length === 0) return
  const names = missing.map(([path]) => path.replace('node_modules/', ''))
  if (process.argv.includes('--check'))
    throw new Problem(`package-lock.json lacks ${names.join(', ')}: run node bin/complete-lockfile.js`)
  const all = [...Object.entries(lock.packages), ...missing].toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(all) }, null, 2)}\n`)
  process.stdout.write(`Added to package-lock.json: ${names.join(', ')}\n`)
})

function missingEntries(packages) {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, version]) => [`node_modules/${name}`, entryFor(name, version, entry.dev)]),
  )
}

/** As Node looks a package up: next to the one that needs it, then in each folder above. */
function isLocked(packages, path, name) {
  if (packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
  if (!path) return false
  const above = path.lastIndexOf('/node_modules/')
  return isLocked(packages, above < 0 ? '' : path.slice(0, above), name)
}

/** A package's target is read from its name, such as binding-linux-arm64-musl: it's never fetched elsewhere. */
function entryFor(name, version, dev) {
  const platform = /(?:^|[/-])(android|darwin|freebsd|linux|openharmony|win32|wasm32)-(.+)$/.exec(name)
  if (!platform || !/^\d/.test(version))
    throw new Problem(`package-lock.json lacks ${name}@${version}, and its name doesn't say which platform it's for.`)
  const [, system, rest] = platform
  const onWasm = system === 'wasm32'
  const libc = /musl/.test(rest) ? ['musl'] : /gnu/.test(rest) ? ['glibc'] : undefined
  return {
    version,
    cpu: [onWasm ? system : rest.split('-')[0]],
    ...(dev ? { dev: true } : {}),
    ...(libc ? { libc } : {}),
    optional: true,
    ...(onWasm ? {} : { os: [system] }),
  }
}
