// The project's own files, for the tests of its rules.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** The paths from the root of all files that are under version control or about to be. */
export const projectFiles = (): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))

/** Source files written by hand. */
export const sources = (): string[] =>
  projectFiles().filter(
    (path) => /^(src|test|bench|scripts|web|bin|examples)\/.*\.(tsx?|mjs)$/.test(path) && !path.includes('.generated.'),
  )

/** Hand-written SDL; the files in test/contract are what others publish and send. */
export const descriptions = (): string[] => projectFiles().filter((path) => /^src\/.*\.graphql$/.test(path))

export const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n')

/** The relative imports of a source, as paths from the root. */
export function importsOf(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  const targets = [...text.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(([, target = '']) => target)
  return targets.map((target) => new URL(target, `file:///${path}`).pathname.slice(1))
}
