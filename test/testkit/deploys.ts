// Shared by the tests of deploys: a small diff, the operations of pipelines, and a company with an asset to deploy.

import { newAsset, newWorld } from './world.ts'

export const commit = (digit: string) => digit.repeat(40)

/** Every field of a deploy that needs no arguments. */
export const SHOWN = `id status permittedStatus branchName assetId asset { id name } previousCommit currentCommit diffState diffReason
  createdAt createdBy { email } authoredAt commits { id message author authorEmail authoredAt } files added removed
  languages { name files added removed } lineage isCarried findings { moved renamed touched removed } diffPath commitHistoryPath`

// The document that existing pipelines send: files are separate variables, and the first need not be a diff.
export const PIPELINE = `mutation ($assetId: ID!, $previousCommit: String!, $currentCommit: String!, $branchName: String, $diffContent: Upload!,
    $commitHistory: Upload) {
  createDeploy(input: { assetId: $assetId, previousCommit: $previousCommit, currentCommit: $currentCommit, branchName: $branchName,
    diffContent: $diffContent, commitHistory: $commitHistory }) { deploy { ${SHOWN} } } }`

export const DEPLOY = `query ($id: ID!) { deploy(id: $id) { ${SHOWN} } }`

/** Two files: one changed, one added. */
export const DIFF = [
  'diff --git a/src/app.ts b/src/app.ts',
  'index 1111111..2222222 100644',
  '--- a/src/app.ts',
  '+++ b/src/app.ts',
  '@@ -1,3 +1,4 @@',
  ' one',
  '-two',
  '+TWO',
  '+and a half',
  ' three',
  'diff --git a/notes.md b/notes.md',
  'new file mode 100644',
  'index 0000000..3333333',
  '--- /dev/null',
  '+++ b/notes.md',
  '@@ -0,0 +1 @@',
  '+# Notes',
  '',
].join('\n')

/** An asset in a company of its own, and the key of its owner. */
export async function newHome(): Promise<{ key: string; email: string; companyId: string; assetId: string }> {
  const { companyId, owner } = await newWorld()
  const { id } = await newAsset(owner.key, companyId)
  return { key: owner.key, email: owner.email, companyId, assetId: id }
}

/** A file inside a JSON body. */
export const inline = (content: string) => ({
  filename: 'change.diff',
  contentType: 'text/x-diff',
  base64: Buffer.from(content).toString('base64'),
})

/** The commits of the deploy with this number; all deploys start from the same commit. */
export const pairOf = (number: number) => ({
  previousCommit: commit('a'),
  currentCommit: number.toString(16).padStart(40, '0'),
})
