// How the tests run: three workers, each with a database made for the run and a server, those that take longest first.

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They wait for processes and for times to pass: begun at the end, they would be waited for alone. */
const LONG =
  /test\/operations\/|imports\/jobs\.test|db\/embedded\.test|connectors\/silence|sources\/unread|dynamic-scans\/scans|http\/raw\.test|scanner\/hostile\.test|repo\/regexes\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], short = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONG.test(moduleId) ? 'long' : 'short',
    )
    return [...long, ...short]
  }
}

// tests start the command line some hundred times: what was compiled once is kept, as bin/merlon.mjs keeps it
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/testkit/leftovers.ts'],
    globalSetup: ['test/testkit/temporary.ts', 'test/testkit/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    // modules are imported as the service imports them, by Node itself
    experimental: { viteModuleRunner: false },
    // more than the cores that there are at least, because many tests wait
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['default'],
  },
})
