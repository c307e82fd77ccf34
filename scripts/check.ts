// The checks beside the tests: generated files are current, types hold, the linter is content, the repository keeps its rules.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const node = process.execPath

const steps: { what: string; command: string[] }[] = [
  { what: 'generated files', command: [node, 'scripts/generate.ts'] },
  { what: 'types', command: [node, 'node_modules/.bin/tsc', '-p', '.', '--noEmit'] },
  { what: 'the types that the console sees', command: [node, 'scripts/build-web.ts', '--types'] },
  { what: 'types of the console', command: [node, 'node_modules/.bin/tsc', '-p', 'web'] },
  { what: 'lint and format', command: [node, 'node_modules/.bin/biome', 'check', '.'] },
  {
    what: 'the repository’s rules',
    command: [node, 'node_modules/.bin/vitest', 'run', '--config', 'test/repo/vitest.config.ts'],
  },
]

const generatedFiles = [
  'schema.graphql',
  'docs/configuration.md',
  'src/modules/api.generated.ts',
  'src/core/db/tables.generated.ts',
]

/** Generated files as they stand; equal before and after generating when they are current. */
const generated = (): string => generatedFiles.map((path) => readFileSync(path, 'utf8')).join('\0')

const before = generated()
for (const {
  what,
  command: [program = '', ...rest],
} of steps) {
  const { status } = spawnSync(program, rest, { stdio: 'inherit' })
  const isStale = what === 'generated files' && generated() !== before
  if (isStale) process.stderr.write('Generated files were not current; they are now: commit them\n')
  if (status !== 0 || isStale) {
    process.stderr.write(`The check of ${what} failed\n`)
    process.exit(1)
  }
  process.stdout.write(`✓ ${what}\n`)
}
