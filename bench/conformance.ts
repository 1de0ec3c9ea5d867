import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { composePlatforms } from '#server/platforms/registry.ts'
import { conform } from '#server/testing/conformance/conformance.ts'
import { visitPlatforms } from '#server/testing/visitor.ts'

/*
 * The conformance suite (server/platforms/conformance.test.ts) with files as large as each platform's rules allow,
 * several gigabytes for some; npm test uses 120 MB. `--short` stops at 1 GB. Prints the results and the memory used.
 */
const largest = process.argv.includes('--short') ? 1_000_000_000 : Number.MAX_SAFE_INTEGER
const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
const visit = await visitPlatforms()
let most = 0
const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 100)
const before = process.memoryUsage().rss
try {
  for (const key of platformKeys) {
    const platform = platforms(key)
    // npm test runs Bluesky against its real server
    if (!platform || key === 'bluesky') continue
    for (const variant of platformRules[key].app?.variants?.map(({ value }) => value) ?? [undefined]) {
      const checks = await conform(visit, platform, { largest, ...(variant !== undefined && { variant }) })
      const failed = checks.filter((check) => check.failed !== null)
      console.log(
        `${platformRules[key].label}${variant === undefined ? '' : ` (${variant})`}: ${checks.length - failed.length} of ${checks.length}`,
      )
      for (const { capability, failed: why } of failed) console.log(`  ${capability}: ${why}`)
      if (failed.length > 0) process.exitCode = 1
    }
  }
} finally {
  clearInterval(watch)
  await visit.stop()
}
console.log(`memory: ${Math.round((most - before) / 1_000_000)} MB more than before, simulators included`)
