// Mutation testing of the authorisation code: each small change to it must make a test fail.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files that decide who may do what, and what an id is. */
const mutated = [
  'src/core/ids.ts',
  'src/modules/access/permissions.ts',
  'src/modules/access/authorize.ts',
  'src/modules/access/keys.ts',
  'src/modules/access/api-keys.ts',
  'src/modules/access/accounts.ts',
  'src/modules/access/service.ts',
]

/** The mutation tester. It is not a dependency of the project, because its 50 MB are used only here. */
const VERSION = '10.1.1'

const settings = {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // the project's compiler has no API, and its settings need no rewriting
  tsconfigFile: 'none.json',
  vitest: { configFile: 'test/operations/mutants.vitest.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 30_000,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: 'mutants.json' },
  mutate: mutated,
}

type Mutant = {
  status: string
  mutatorName: string
  replacement?: string
  location: { start: { line: number } }
}

type Report = { files: Record<string, { mutants: Mutant[] }> }

/** Mutates the code in a copy of the project; `least` is the percentage of mutants that must be noticed. */
export async function run(least: number): Promise<string[]> {
  const copy = await mkdtemp(join(tmpdir(), 'merlon-mutants-'))
  try {
    await copyProject(copy)
    const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`)
    execFileSync('npm', ['install', '--no-save', '--ignore-scripts', ...packages], { cwd: copy, stdio: 'ignore' })
    await writeFile(join(copy, 'stryker.config.json'), JSON.stringify(settings))
    const program = join(copy, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
    await once(spawn(process.execPath, [program, 'run'], { cwd: copy, stdio: 'inherit' }), 'close')
    return judge(JSON.parse(await readFile(join(copy, 'mutants.json'), 'utf8')), least)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Packages are copied from their real location, so that installing others next to them changes nothing elsewhere. */
async function copyProject(copy: string): Promise<void> {
  const whole = { recursive: true, verbatimSymlinks: true }
  await cp('.', copy, { ...whole, filter: (path) => !['.git', 'data', 'node_modules'].includes(path) })
  await cp(await realpath('node_modules'), join(copy, 'node_modules'), whole)
}

const noticed = new Set(['Killed', 'Timeout'])
const unnoticed = new Set(['Survived', 'NoCoverage'])

function judge({ files }: Report, least: number): string[] {
  const faults: string[] = []
  for (const [path, { mutants }] of Object.entries(files)) {
    const survivors = mutants.filter(({ status }) => unnoticed.has(status))
    const killed = mutants.filter(({ status }) => noticed.has(status)).length
    const score = (100 * killed) / (killed + survivors.length)
    console.log(`${path}: ${killed} of ${killed + survivors.length} changes noticed, ${score.toFixed(1)} %`)
    for (const { location, mutatorName, replacement } of survivors)
      console.log(
        `  survived in line ${location.start.line}: ${mutatorName} ${replacement?.replaceAll(/\s+/g, ' ') ?? ''}`,
      )
    if (score < least) faults.push(`${path}: ${score.toFixed(1)} % of the changes are noticed`)
  }
  return faults
}
