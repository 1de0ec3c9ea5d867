import { readFileSync } from 'node:fs'
import { at } from './places.js'

/**
 * Files of tests that take long, in seconds on two idle cores: a run begins with the longest. `node bin/durations.js`
 * takes them from the reports of the last run.
 * @type {Record<string, number>}
 */
export const DURATIONS = JSON.parse(readFileSync(at('bin', 'lib', 'durations.json'), 'utf8'))
