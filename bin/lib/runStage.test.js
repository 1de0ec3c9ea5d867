import { expect, it } from 'vitest'
import { Problem } from './places.js'
import { runStage } from './runStage.js'

/** What a run of the stage writes, in its order. */
async function written(stage, quiet) {
  const texts = []
  const result = await runStage('types and lint', stage, quiet, (text) => texts.push(text))
  return { text: texts.join(''), failed: result.failed }
}

it('shows what a stage beside another says below its heading, in one piece', async () => {
  const texts = []
  const stage = async () => ({ passed: 0, failed: 1, output: 'a type is wrong\n' })
  await runStage('types and lint', stage, true, (text) => texts.push(text))
  expect(texts).toEqual(['\n# types and lint\na type is wrong\n'])
})

it('shows the problem of a stage that throws below its heading, alone or beside another', async () => {
  const stage = async () => {
    throw new Problem('Chromium is missing.')
  }
  for (const quiet of [true, false])
    expect(await written(stage, quiet)).toEqual({ text: '\n# types and lint\nChromium is missing.\n', failed: 1 })
})

it('lets a stage that is alone write as it goes', async () => {
  const stage = async () => ({ passed: 1, failed: 0, output: 'already written' })
  expect(await written(stage, false)).toEqual({ text: '\n# types and lint\n', failed: 0 })
})
