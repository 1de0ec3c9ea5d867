import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from './bin/lib/durations.json' with { type: 'json' }

const cluster = './server/testing/cluster.ts'

const seconds = new Map(Object.entries(durations))
const secondsOf = ({ moduleId }: TestSpecification) => seconds.get(relative(import.meta.dirname, moduleId)) ?? 0

/** Of each project, the longest files first: none of them decides alone when the project ends. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => a.project.name.localeCompare(b.project.name) || secondsOf(b) - secondsOf(a))
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // only to find what hangs: on a machine with other work everything takes many times as long
    testTimeout: 120_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['charts/**/*.test.ts', 'contract/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'bin/**/*.test.js'],
          // files share the modules of their process: a process for each takes four times as long as the tests
          isolate: false,
        },
      },
      {
        // everything on the server finds a database of its own
        extends: true,
        test: {
          name: 'api',
          include: ['server/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.pds.test.ts', '**/*.fault.test.ts'],
          globalSetup: cluster,
          // as above: loading the server takes longer than most files. What a file replaces
          // (vi.mock) it loads again, before and after (server/posts/model.test.ts)
          isolate: false,
        },
      },
      {
        // the tests of files once more, with the object store in place of the disk
        extends: true,
        test: {
          name: 'objects',
          include: ['server/media/**/*.test.ts', 'server/dataRights/export.test.ts'],
          // these read and draw pictures, which never reach a store, or store them as those of previews are stored
          exclude: ['**/node_modules/**', 'server/media/{accountPicture,fairQueue,inWorker,media,metadata}.test.ts'],
          globalSetup: [cluster, './server/testing/objectStore.ts'],
          isolate: false,
        },
      },
      {
        // against the real Bluesky server, which is installed in its own folder
        extends: true,
        test: {
          name: 'bluesky',
          include: ['server/**/*.pds.test.ts'],
          globalSetup: cluster,
          isolate: false,
        },
      },
      {
        // kills and stops processes of its own: one file at a time
        extends: true,
        test: {
          name: 'faults',
          include: ['server/**/*.fault.test.ts'],
          globalSetup: cluster,
          fileParallelism: false,
        },
      },
    ],
  },
})
