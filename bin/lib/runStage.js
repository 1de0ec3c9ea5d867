import { Problem } from './places.js'

/**
 * Runs a stage under its heading. A quiet one, which runs beside another, shows heading and output together at its end.
 * @param {string} name
 * @param {(quiet: boolean) => Promise<import('./testReports.js').Result & { output?: string }>} stage
 * @param {boolean} quiet
 * @param {(text: string) => void} write
 */
export async function runStage(name, stage, quiet, write = (text) => process.stdout.write(text)) {
  if (!quiet) write(`\n# ${name}\n`)
  const began = performance.now()
  const result = await stage(quiet).catch((error) => {
    const output = `${error instanceof Problem ? error.message : error.stack}\n`
    if (!quiet) write(output)
    return { passed: 0, failed: 1, output }
  })
  if (quiet) write(`\n# ${name}\n${result.output ?? ''}`)
  return { name, ...result, seconds: (performance.now() - began) / 1000 }
}
