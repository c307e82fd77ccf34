// Shows a gate's verdict on Bitbucket: a build status on the commit, and one comment of ours on each pull request.

import { keepComment } from '../comments.ts'
import { unlessRefused } from '../commit-status.ts'
import { walkNext } from '../pages.ts'
import { at } from '../paths.ts'
import type { SourceHost } from '../source-host.ts'
import { forkOf, isOfInterest } from './forks.ts'
import { repositoryPath } from './naming.ts'
import { comment, pageOf, pullRequest } from './schemas.ts'

const states = { PENDING: 'INPROGRESS', PASSED: 'SUCCESSFUL', FAILED: 'FAILED' } as const

/** The most merged pull requests that are searched for the one that a commit came from. */
const NEWEST_MERGED = 20

const pullRequests = pageOf(pullRequest)
const comments = pageOf(comment)

/** Merged pull requests name the commit by its first twelve digits. */
export const findPullRequests: SourceHost['findPullRequests'] = async (session, { projectId, branch, commit }) => {
  const { client } = session
  const fork = forkOf(branch)
  if (fork !== null) return (await isOfInterest(session, projectId, fork)) ? [fork] : []
  const { workspace, uuid } = repositoryPath(projectId)
  const path = at`/repositories/${workspace}/${uuid}/pullrequests`
  const name = branch.replace(/[\\"]/g, '\\$&')
  const [open, merged] = await Promise.all([
    client.get(path, pullRequests, { query: { q: `source.branch.name = "${name}" AND state = "OPEN"` } }),
    client.get(path, pullRequests, {
      query: {
        q: `destination.branch.name = "${name}" AND state = "MERGED"`,
        sort: '-updated_on',
        pagelen: NEWEST_MERGED,
      },
    }),
  ])
  const asCommit = merged.values.filter(({ mergedAs }) => mergedAs !== null && commit.startsWith(mergedAs))
  // a fork's branch may have the same name as ours
  const ours = open.values.filter(({ from }) => from === undefined || from === uuid)
  return [...ours, ...asCommit].map(({ id }) => String(id))
}

export const reportCommit: SourceHost['reportCommit'] = async (session, report) => {
  const { workspace, uuid } = repositoryPath(report.projectId)
  const status = {
    type: 'build',
    key: report.key.slice(0, 40),
    state: states[report.state],
    name: 'Merlon',
    description: report.title.slice(0, 255).toWellFormed(),
    url: report.url,
  }
  const path = at`/repositories/${workspace}/${uuid}/commit/${report.commit}/statuses/build`
  const { client } = session
  const posted = client.post(path, status, null, { repeatable: true })
  await (forkOf(report.branch) === null ? posted : posted.catch(unlessRefused))
  const body = (text: string) => ({ type: 'pullrequest_comment', content: { raw: text } })
  for (const id of report.pullRequests) {
    const thread = at`/repositories/${workspace}/${uuid}/pullrequests/${id}/comments`
    await keepComment(report, {
      async *walk() {
        const step = { path: thread, query: { pagelen: 100 } }
        for await (const { values } of walkNext(client, step, comments, ({ next }) => next)) yield* values
      },
      create: (text) => client.post(thread, body(text), null),
      update: (number, text) =>
        client.put(at`/repositories/${workspace}/${uuid}/pullrequests/${id}/comments/${number}`, body(text), null),
    })
  }
}
