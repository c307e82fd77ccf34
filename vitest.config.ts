// How the tests run: several workers, each with a database made for the run and one server, those that wait spread among the others.

import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** They wait for processes and for times to pass, and leave the processor to what runs beside them. */
const LONG =
  /imports\/jobs\.test|connectors\/silence|sources\/(unread|following)|dynamic-scans\/|gates\/decisions|advisories\/fetching|events\/subscriptions|http\/raw\.test/

/** They are the longest, and are begun first, so that nobody waits for one of them alone. */
const LONGEST =
  /operations\/(embedded|durability|operating)|scanner\/memory|e2e\/(pages|states|hostile|walked)|test\/hostile\/http|contract\/(matrix|controls)|test\/cli\/(use|cli|import)\./

/** Of the others, the part among which they are spread, so that none is begun near the end and waited for alone. */
const SPREAD_OVER = 0.7

export class LongOnesSpread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const {
      longest = [],
      long = [],
      short = [],
    } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONGEST.test(moduleId) ? 'longest' : LONG.test(moduleId) ? 'long' : 'short',
    )
    const between = Math.floor((short.length * SPREAD_OVER) / Math.max(1, long.length))
    return [
      ...longest,
      ...long.flatMap((one, at) => [one, ...short.slice(at * between, (at + 1) * between)]),
      ...short.slice(long.length * between),
    ]
  }
}

// tests start the command line some hundred times: what was compiled once is kept, as bin/merlon.mjs keeps it
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

export const shared = defineConfig({
  test: {
    setupFiles: ['test/testkit/seed.ts', 'test/testkit/leftovers.ts'],
    globalSetup: ['test/testkit/temporary.ts', 'test/testkit/global-setup.ts'],
    pool: 'forks',
    isolate: false,
    // modules are imported as the service imports them, by Node itself
    experimental: { viteModuleRunner: false },
    // more than the cores that there are at least, because many tests wait
    maxWorkers: 4,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongOnesSpread },
    reporters: ['default'],
  },
})

export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: ['**/*.apart.test.ts', 'test/repo/**'],
      // a scan opens no browser, whatever this machine has: those that need one stand apart
      env: { CHROMIUM: '' },
    },
  }),
)
