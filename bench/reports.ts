import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { REPORTS } from '#contract/reports/limits.ts'
import { pageOf } from '#server/reports/files/page.ts'
import { pdfOf, template } from '#server/reports/files/pdf.ts'
import { previewOf } from '#server/reports/files/preview.ts'
import { printedOf } from '#server/reports/files/printed.ts'
import { workbookOf } from '#server/reports/files/workbook.ts'
import { blockOf, chartPart, figureOf, postTable, reportOf, valueOf } from '#server/testing/reportDocument.ts'
import { median } from './_stage.ts'

/*
 * A report with 500 posts in the columns of a new report, and ten charts of three lines: its PDF within 3 seconds, while the
 * compiler's process has at most 150 MB (its peak as Linux counts it, VmHWM). Beside it, in turns in one run, Typst sets the same
 * rows as a table without anything else: the ratio says what the template costs. Then the other files of the same report.
 */
const TARGET = { milliseconds: 3_000, megabytes: 150, ratio: 0.7 }
const TURNS = process.argv.includes('--short') ? 3 : 12

const columns = ['Views and impressions', 'Reactions', 'Comments', 'Shares', 'Engagement rate']
const report = reportOf([
  blockOf('figures', [{ kind: 'figures', figures: columns.map((title, i) => figureOf(title, valueOf(i * 7_919))) }]),
  ...Array.from({ length: 10 }, (_, i) =>
    blockOf(`chart${i}`, [chartPart(['Views', 'Before', 'Goal'])], { kind: 'chart' }),
  ),
  blockOf('posts', [postTable(REPORTS.tableRows, columns)], { kind: 'postTable' }),
])

/** The rows of the report as Typst's own table. */
const BARE = `#let data = json(bytes(sys.inputs.data))
#set document(title: "Posts", date: auto)
#set text(font: "Noto Sans", size: 7.5pt, lang: "en")
#let part = data.sections.last().row.blocks.first().parts.first()
#table(columns: part.widths.map(width => width * 1pt), table.header(..part.titles), ..part.rows.flatten().map(it => if type(it) == str { it } else { it.text }))`

const { data, files } = printedOf(report, report.pictures)
const source = await readFile(template, 'utf8')

/** Sets a document in a process of its own: milliseconds with the process's start, and the most memory it had. */
async function set(text: string): Promise<{ milliseconds: number; megabytes: number }> {
  const started = performance.now()
  const child = fork(new URL('../server/typesetting/compiler.js', import.meta.url), {
    serialization: 'advanced',
    execArgv: ['--max-old-space-size=128'],
  })
  try {
    const outcome = await new Promise<object>((resolve, reject) => {
      child.once('message', resolve)
      child.once('exit', (code) => reject(new Error(`its process ended with ${code}`)))
      child.send({ template: text, data, files, createdAt: report.createdAt })
    })
    if ('problem' in outcome) throw new Error(String(outcome.problem))
    const milliseconds = performance.now() - started
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    return { milliseconds, megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 }
  } finally {
    child.kill('SIGKILL')
  }
}

const runs: { ours: Awaited<ReturnType<typeof set>>; bare: Awaited<ReturnType<typeof set>> }[] = []
for (let turn = 0; turn < TURNS; turn++) runs.push({ ours: await set(source), bare: await set(BARE) })
const milliseconds = median(runs.map(({ ours }) => ours.milliseconds))
const most = Math.max(...runs.map(({ ours }) => ours.megabytes))
const ratio = median(runs.map(({ ours, bare }) => bare.milliseconds / ours.milliseconds))
console.log(
  `pdf: ${milliseconds.toFixed(0)} ms (at most ${TARGET.milliseconds}), ${most.toFixed(0)} MB (at most ${TARGET.megabytes}); a plain table ${median(runs.map(({ bare }) => bare.milliseconds)).toFixed(0)} ms, ${Math.max(...runs.map(({ bare }) => bare.megabytes)).toFixed(0)} MB; ratio ${ratio.toFixed(2)} (target ${TARGET.ratio})`,
)
if (milliseconds > TARGET.milliseconds || most > TARGET.megabytes || ratio < TARGET.ratio) process.exitCode = 1

const links = { pdfPath: '/r/report.pdf', picturePath: (key: string) => `/r/${key}` }
await timed(
  'whole PDF',
  () => pdfOf(report, 'bench'),
  ({ pdf, pages }) => `${pages} pages, ${pdf.length} bytes`,
)
await timed(
  'preview',
  () => previewOf(report, 'bench'),
  ({ pages }) => {
    const sizes = pages.map((page) => gzipSync(page).length)
    return `${pages.length} pages, ${sizes.reduce((sum, size) => sum + size, 0)} bytes as gzip, at most ${Math.max(...sizes)} a page`
  },
)
await timed(
  'page',
  () => Promise.resolve(pageOf(report, links)),
  ({ html }) => `${gzipSync(html).length} bytes as gzip`,
)
await timed(
  'workbook',
  () => workbookOf(report),
  (bytes) => `${bytes.length} bytes`,
)

async function timed<T>(name: string, make: () => Promise<T>, sizeOf: (made: T) => string): Promise<void> {
  const times: number[] = []
  let said = ''
  for (let turn = 0; turn < TURNS; turn++) {
    const started = performance.now()
    const made = await make()
    times.push(performance.now() - started)
    said = sizeOf(made)
  }
  console.log(`${name}: ${median(times).toFixed(0)} ms, ${said}`)
}
