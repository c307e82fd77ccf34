// Paths as scanners write them, absolute or with backslashes, become paths from the root of the repository.

import { text } from './values.ts'

/** Directories into which CI systems check a repository out, the repository's root right below. */
const checkouts = [
  /^\/github\/workspace\//,
  /^\/home\/runner\/work\/[^/]+\/[^/]+\//,
  /^\/Users\/runner\/work\/[^/]+\/[^/]+\//,
  /^[A-Za-z]:\/a\/[^/]+\/[^/]+\//,
  /^\/home\/vsts\/work\/\d+\/s\//,
  /^\/__w\/[^/]+\/[^/]+\//,
  // what GitHub's and Azure's own runners have below the folder that they were put in
  /^(?:[A-Za-z]:)?\/(?:[^/]+\/){0,9}?_work\/[^/]+\/[^/]+\//,
  /^\/builds\/[^/]+\/[^/]+\//,
  /^\/opt\/atlassian\/pipelines\/agent\/build\//,
  /^\/home\/circleci\/project\//,
  /^\/var\/lib\/jenkins\/workspace\/[^/]+\//,
  /^\/var\/jenkins_home\/workspace\/[^/]+\//,
  /^\/(?:checkout|workspace|code|project|repo|tf)\//,
]

/** A path that starts so is one of a machine; any other with a `/` before it was meant from the root of what was scanned. */
const MACHINE_ROOT = /^\/(?:home|Users|root|tmp|var|opt|usr|etc|mnt|media|private|srv|run|bin|lib|proc|dev)\//

const LONGEST = 2000

/** The path below the first of `roots` (each ending in `/`) that it is in, else below a known check-out directory. */
export function repositoryPath(value: unknown, roots: readonly string[] = []): string | undefined {
  const path = text(value)
    ?.replaceAll('\\', '/')
    .replace(/^\/(?=[A-Za-z]:\/)/, '')
  return path === undefined ? undefined : normal(below(path, roots))
}

function below(path: string, roots: readonly string[]): string {
  if (!/^\/|^[A-Za-z]:\//.test(path)) return path
  const root = roots.find((each) => path.startsWith(each))
  if (root !== undefined) return path.slice(root.length)
  for (const checkout of checkouts) {
    if (checkout.test(path)) return path.replace(checkout, '')
  }
  return MACHINE_ROOT.test(path) || path.startsWith('//') ? path : path.replace(/^\//, '')
}

function normal(path: string): string | undefined {
  const steps: string[] = []
  for (const step of path.split('/').slice(0, 200)) {
    if (step === '.' || (step === '' && steps.length > 0)) continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..' && steps.at(-1) !== '') steps.pop()
    else steps.push(step)
  }
  return text(steps.join('/'), LONGEST)
}
