// Which branch and commit were scanned: those that are named, else those that are checked out.

import { branchToTell, commitOf } from './git.ts'

/** `git` is false where nothing is to be taken from a checkout; a deploy says of which branch and commit it is itself. */
type Named = { branch?: string; commit?: string; deploy?: string; git: boolean }

export async function scannedIn({ branch, commit, deploy, git }: Named) {
  const isGit = git && !deploy
  const head = isGit ? await commitOf('HEAD').catch(() => null) : null
  const commitRef = commit !== undefined && git ? await commitOf(commit).catch(() => commit) : (commit ?? head)
  return { branchName: branch ?? (isGit && head ? await branchToTell() : null), commitRef }
}
