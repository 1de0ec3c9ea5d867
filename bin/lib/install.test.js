import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

let project
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'rookery-install-'))
  cpSync(import.meta.dirname, join(project, 'bin', 'lib'), { recursive: true })
  const manifest = { name: 'fixture', version: '1.0.0', type: 'module', dependencies: { missing: '1.0.0' } }
  const missing = { version: '1.0.0', resolved: 'http://127.0.0.1:1/missing.tgz', integrity: 'sha512-AA==' }
  const lock = {
    name: 'fixture',
    version: '1.0.0',
    lockfileVersion: 3,
    packages: { '': manifest, 'node_modules/missing': missing },
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock))
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

/** Installs in its own process, `before` that as whom. */
function install(before = '') {
  const file = pathToFileURL(join(project, 'bin', 'lib', 'install.js')).href
  const code = `${before}; const { ensureInstalled } = await import('${file}'); await ensureInstalled().catch((error) => console.log(error.message))`
  const env = { PATH: process.env.PATH, HOME: project, npm_config_registry: 'http://127.0.0.1:1/' }
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' }).stdout
}

it("says that the registry can't be reached instead of trying for minutes", () => {
  expect(install()).toContain(
    "couldn't be installed. Check that this machine can reach the npm registry, then try again.",
  )
})

it('says that the folder is read-only before running npm', () => {
  chmodSync(project, 0o555)
  // root can write everything
  const asOrdinaryUser = process.getuid?.() === 0 ? 'process.setgid(1); process.setuid(1)' : ''
  expect(install(asOrdinaryUser)).toContain("can't be written to. Make it writable for the first start")
  chmodSync(project, 0o755)
})
