// Reproducible builds: the package and the console, built from the same sources in several places, are identical.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFiles } from '../repo/files.ts'

/** Maps the names of build results to their SHA-256. */
type Built = Map<string, string>

const hashOf = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

/** Builds from a copy of the sources in a separate directory, whose name gets longer with each turn. */
async function buildOnce(turn: number): Promise<Built> {
  const home = await mkdtemp(join(tmpdir(), `merlon-build-${'x'.repeat(turn)}-`))
  try {
    for (const path of projectFiles()) await cp(path, join(home, path))
    const npm = (words: string[]) => execFileSync('npm', words, { cwd: home, encoding: 'utf8', stdio: 'pipe' })
    npm(['pack', '--ignore-scripts', '--pack-destination', home])
    await symlink(await realpath('node_modules'), join(home, 'node_modules'))
    const built: Built = new Map()
    const { components }: { components: unknown[] } = JSON.parse(
      npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev']),
    )
    // only the components, because the document has its own serial number and time
    built.set(`${components.length} components`, createHash('sha256').update(JSON.stringify(components)).digest('hex'))
    execFileSync(process.execPath, ['scripts/build-web.ts'], { cwd: home, stdio: 'pipe' })
    const files = await readdir(join(home, 'web', 'dist'), { recursive: true })
    const packages = (await readdir(home)).filter((name) => name.endsWith('.tgz'))
    for (const path of [...packages, ...files.map((file) => join('web', 'dist', file))]) {
      const whole = join(home, path)
      if ((await stat(whole)).isFile()) built.set(path, await hashOf(whole))
    }
    return built
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

export async function run(times: number): Promise<string[]> {
  const first = await buildOnce(1)
  console.log(`${first.size} things were built, of them ${[...first.keys()].slice(0, 2).join(' and ')}`)
  const faults: string[] = []
  for (let turn = 2; turn <= times; turn += 1) {
    const again = await buildOnce(turn)
    for (const name of new Set([...first.keys(), ...again.keys()]))
      if (first.get(name) !== again.get(name)) faults.push(`${name} differs in build ${turn}`)
  }
  return faults
}
