// The branch and commit of a report, and the path of the checkout: from the flags, or else from git.

import { posix, win32 } from 'node:path'
import { branchToTell, checkoutHere, commitOf } from './git.ts'
import { WrongUse } from './wrong-use.ts'

/** `git` is false if nothing is to be taken from the checkout; a deploy already has a branch and a commit. */
type Named = { branch?: string; commit?: string; deploy?: string; git: boolean }

export async function scannedIn({ branch, commit, deploy, git }: Named) {
  const isGit = git && !deploy
  const head = isGit ? await commitOf('HEAD').catch(() => null) : null
  const commitRef = commit !== undefined && git ? await commitOf(commit).catch(() => commit) : (commit ?? head)
  return { branchName: branch ?? (isGit && head ? await branchToTell() : null), commitRef }
}

/** The path of the repository as the scanner saw it, and the directory of the repository in which it ran. */
export async function laidIn({ checkout, directory, git }: { checkout?: string; directory?: string; git: boolean }) {
  if (directory !== undefined && win32.isAbsolute(directory))
    throw new WrongUse(`--directory: ${directory} is a whole path; it is from here, such as services/api`)
  const here = git ? await checkoutHere() : null
  const ranIn = directory === undefined ? undefined : posix.join(here?.directory ?? '', directory)
  if (ranIn === '..' || ranIn?.startsWith('../'))
    throw new WrongUse(`--directory: ${directory} is not in the repository`)
  return { checkoutPath: checkout ?? here?.path, directory: ranIn }
}
