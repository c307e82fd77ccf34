// Runs all checks other than tests: generated files are current, types hold, the linter passes, the repository keeps its own rules.

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

type Step = { what: string; command: string[] }

const node = process.execPath

const generating: Step = { what: 'generated files', command: [node, 'scripts/generate.ts'] }

/** The steps of a lane run one after another, and the lanes in parallel, to use two cores. */
const lanes: Step[][] = [
  [
    { what: 'types', command: [node, 'node_modules/.bin/tsc', '-p', '.', '--noEmit'] },
    { what: 'the types that the console sees', command: [node, 'scripts/build-web.ts', '--types'] },
    { what: 'types of the console', command: [node, 'node_modules/.bin/tsc', '-p', 'web'] },
  ],
  [
    { what: 'lint and format', command: [node, 'node_modules/.bin/biome', 'check', '.'] },
    {
      what: 'the repository’s rules',
      command: [node, 'node_modules/.bin/vitest', 'run', '--config', 'test/repo/vitest.config.ts'],
    },
  ],
]

const generatedFiles = [
  'schema.graphql',
  'docs/configuration.md',
  'src/modules/api.generated.ts',
  'src/core/db/tables.generated.ts',
]

/** The generated files as they are now; they are current if generating does not change them. */
const generated = (): string => generatedFiles.map((path) => readFileSync(path, 'utf8')).join('\0')

/** Prints a step's output in one piece when it ends, so that parallel steps do not mix. */
async function run({ what, command: [program = '', ...rest] }: Step): Promise<void> {
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const status = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), status])
  process.stdout.write(out)
  process.stderr.write(err)
  if (code !== 0) fail(what)
  process.stdout.write(`✓ ${what}\n`)
}

function fail(what: string): never {
  process.stderr.write(`The check of ${what} failed\n`)
  process.exit(1)
}

const before = generated()
await run(generating)
if (generated() !== before) {
  process.stderr.write('Generated files were not current; they are now: commit them\n')
  fail(generating.what)
}
await Promise.all(
  lanes.map(async (lane) => {
    for (const step of lane) await run(step)
  }),
)
