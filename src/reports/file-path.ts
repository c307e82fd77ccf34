// Converts paths as scanners write them (absolute, or with backslashes) to paths relative to the root of the repository.

import { posix } from 'node:path'
import { text } from './values.ts'

/** Absolute directories end in `/`. */
export type Roots = {
  /** the checkout directory, such as `/src/`, if known */
  repository: readonly string[]
  /** directories named in the report, in which the tool ran; the outermost first */
  ofReport: readonly string[]
  /** where in the repository the tool ran: '' for its root, or for example `services/api/` */
  ranIn: string
}

export const NO_ROOTS: Roots = { repository: [], ofReport: [], ranIn: '' }

/** Directories in which CI systems check out repositories; the repository's root is directly below. */
const checkouts = [
  /^\/github\/workspace\//,
  /^\/home\/runner\/work\/[^/]+\/[^/]+\//,
  /^\/Users\/runner\/work\/[^/]+\/[^/]+\//,
  /^[A-Za-z]:\/a\/[^/]+\/[^/]+\//,
  /^\/home\/vsts\/work\/\d+\/s\//,
  /^\/__w\/[^/]+\/[^/]+\//,
  // the layout of self-hosted GitHub and Azure runners below their installation directory
  /^(?:[A-Za-z]:)?\/(?:[^/]+\/){0,9}?_work\/[^/]+\/[^/]+\//,
  /^\/builds\/[^/]+\/[^/]+\//,
  /^\/opt\/atlassian\/pipelines\/agent\/build\//,
  /^\/home\/circleci\/project\//,
  /^\/var\/lib\/jenkins\/workspace\/[^/]+\//,
  /^\/var\/jenkins_home\/workspace\/[^/]+\//,
  /^\/(?:checkout|workspace|code|project|repo|tf)\//,
]

/** A path with this prefix is absolute on a machine; any other path with a leading `/` is relative to the scanned root. */
const MACHINE_ROOT = /^\/(?:home|Users|root|tmp|var|opt|usr|etc|mnt|media|private|srv|run|bin|lib|proc|dev)\//

/** Matches `https://…`, `docker:…` and the like, which are not paths; a single letter is a drive. */
const ADDRESS = /^[A-Za-z][A-Za-z0-9+.-]+:/

const LONGEST = 2000

/** The path with forward slashes, otherwise unchanged: not yet relative to the repository's root. */
export const writtenPath = (value: unknown): string | undefined =>
  text(value)
    ?.replaceAll('\\', '/')
    .replace(/^\/(?=[A-Za-z]:\/)/, '')

/** An absolute directory in the form of `writtenPath`, ending in `/` and without `.` and `..`. */
export function plainDirectory(directory: string): string {
  const machine = /^(?:[A-Za-z]:|\/(?=\/))/.exec(directory)?.[0] ?? ''
  return machine + posix.normalize(`${directory.slice(machine.length)}/`)
}

/** The path relative to the repository's root. An absolute path below no known root, and an address, are left whole. */
export function repositoryPath(value: unknown, roots: Roots): string | undefined {
  const path = writtenPath(value)
  if (path === undefined || ADDRESS.test(path)) return path
  return normal(below(path, roots))
}

/** Whether the path is absolute, and neither the roots nor the usual checkout directories show where the repository begins. */
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

/** Drive letters ignore case. A repository at the root of the file system contains none of the system's own directories. */
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
