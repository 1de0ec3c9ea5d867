import { runFaults } from '../server/testing/faultRun.ts'

/* 10,000 posts, 200 kills. `--quick` is a tenth; `--seed=n` repeats a run's moments and faults. */

const quick = process.argv.includes('--quick')
const seed = Number(process.argv.find((word) => word.startsWith('--seed='))?.slice(7) ?? 1)
const size = quick ? { posts: 1000, kills: 20 } : { posts: 10_000, kills: 200 }

const report = await runFaults({
  ...size,
  channels: 500,
  workers: 2,
  seed,
  faults: {},
  deadline: 1_800_000,
  tell: (line) => console.log(line),
})
console.log(
  `${size.posts} posts, ${report.requests} requests, ${report.kills.workers} workers and ${report.kills.databases} databases killed in ${report.seconds.toFixed(0)} s (seed ${seed})`,
)
console.log(
  `states ${JSON.stringify(report.states)}; twice ${report.twice.length}, missing ${report.missing.length}, unexplained ${report.unexplained.length}`,
)
if (report.twice.length + report.missing.length + report.unexplained.length > 0) {
  console.log(JSON.stringify(report, null, 2))
  process.exitCode = 1
}
