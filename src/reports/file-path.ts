// Paths as scanners write them, absolute or with backslashes, become paths from the root of the repository.

import { posix } from 'node:path'
import { text } from './values.ts'

/** Directories of a machine end in `/`. */
export type Roots = {
  /** the repository's, such as `/src/`, where it is known */
  repository: readonly string[]
  /** those that the report itself names, the widest first: where the tool ran */
  ofReport: readonly string[]
  /** in the repository, where the tool ran: '' for its root, else such as `services/api/` */
  ranIn: string
}

export const NO_ROOTS: Roots = { repository: [], ofReport: [], ranIn: '' }

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

/** `https://…`, `docker:…` and the like, which are no paths; one letter is a drive. */
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]+:/

const LONGEST = 2000

/** The path with `/` between its names, as it is: not yet from the root of the repository. */
export const writtenPath = (value: unknown): string | undefined =>
  text(value)
    ?.replaceAll('\\', '/')
    .replace(/^\/(?=[A-Za-z]:\/)/, '')

/** The directory of a machine, as `writtenPath` has it, ending in `/` and without `.` and `..`. */
export function plainDirectory(directory: string): string {
  const machine = /^(?:[A-Za-z]:|\/(?=\/))/.exec(directory)?.[0] ?? ''
  return machine + posix.normalize(`${directory.slice(machine.length)}/`)
}

/** The path from the root of the repository; one of a machine that is below no root stays whole, and so does an address. */
export function repositoryPath(value: unknown, roots: Roots): string | undefined {
  const path = writtenPath(value)
  if (path === undefined || ADDRESS.test(path)) return path
  return normal(below(path, roots))
}

/** Whether the path is absolute, and neither the roots nor the usual check-out directories say where the repository begins. */
export function isOfUnknownRoot(path: string, { repository, ofReport }: Roots): boolean {
  if (!isAbsolute(path)) return false
  return ![...repository, ...ofReport].some((root) => isBelow(path, root)) && !isInCheckout(path)
}

function below(path: string, { repository, ofReport, ranIn }: Roots): string {
  if (!isAbsolute(path)) return inDirectory(ranIn, path)
  const root = repository.find((each) => isBelow(path, each))
  if (root !== undefined) return path.slice(root.length)
  const own = ofReport.find((each) => isBelow(path, each))
  if (own !== undefined) return inDirectory(ranIn, path.slice(own.length))
  for (const checkout of checkouts) {
    if (checkout.test(path)) return path.replace(checkout, '')
  }
  return isOfMachine(path) ? path : inDirectory(ranIn, path.replace(/^\//, ''))
}

/** Drives have letters of either case. A repository in the root of a machine has none of the machine's own directories. */
function isBelow(path: string, root: string): boolean {
  if (root === '/') return path.startsWith('/') && !isOfMachine(path) && !isInCheckout(path)
  return path.startsWith(root) || (root[1] === ':' && isSameDrive(path, root) && path.startsWith(root.slice(1), 1))
}

const isSameDrive = (path: string, root: string): boolean => path[0]?.toLowerCase() === root[0]?.toLowerCase()

const isInCheckout = (path: string): boolean => checkouts.some((checkout) => checkout.test(path))

const isOfMachine = (path: string): boolean => MACHINE_ROOT.test(path) || path.startsWith('//')

/** Tools that know of git write paths from its root wherever they run. */
const inDirectory = (directory: string, path: string): string => (path.startsWith(directory) ? path : directory + path)

const isAbsolute = (path: string): boolean => /^\/|^[A-Za-z]:\//.test(path)

function normal(path: string): string | undefined {
  const steps: string[] = []
  for (const step of path.split('/').slice(0, 200)) {
    if (step === '.' || (step === '' && steps.length > 0)) continue
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..' && steps.at(-1) !== '') steps.pop()
    else steps.push(step)
  }
  return text(steps.join('/'), LONGEST)
}
