// Pull requests from forks at a fake HostA, with their diff in the fake repository, and the comments posted on them.

import type { Data } from './client.ts'
import type { Answer, Seen } from './exchanges.ts'
import { newCommit } from './source-host.ts'
import { json } from './vendor-fake.ts'

type Fork = { commit: string; base: string; target: string; state: string }

const DIFF =
  'diff --git a/b.ts b/b.ts\nindex 1111111..2222222 100644\n--- a/b.ts\n+++ b/b.ts\n@@ -1 +1 @@\n-one\n+two\n'

/** `home` is the repository's address, `uuid` its id. */
export function pullRequestsFromForks(home: string, uuid: string) {
  const all = new Map<number, Fork>()
  const asked: string[] = []
  const comments: Data[] = []
  const page = (values: unknown[]) => json({ pagelen: 100, values })
  const ours = { type: 'repository', uuid, full_name: 'acme/site' }
  const theirs = { type: 'repository', uuid: '{fork}', full_name: 'stranger/site' }
  // HostA abbreviates commits to twelve digits
  const end = (repository: object, name: string, hash: string) => ({
    repository,
    branch: { name },
    commit: { hash: hash.slice(0, 12) },
  })
  const diffOf = ({ commit, base }: Fork) =>
    `/2.0/repositories/acme/site/diff/stranger/site:${commit.slice(0, 12)}%0D${base.slice(0, 12)}`
  const shown = (id: number) => {
    const fork = all.get(id)
    if (!fork) throw new Error(`There is no pull request ${id}`)
    return {
      type: 'pullrequest',
      id,
      state: fork.state,
      source: end(theirs, 'main', fork.commit),
      destination: end(ours, fork.target, fork.base),
      links: { diff: { href: `https://api.bitbucket.org${diffOf(fork)}?from_pullrequest_id=${id}&topic=true` } },
    }
  }

  const answer = ({ method, path, query, body }: Seen): Answer | null => {
    const [, id = '', rest] = new RegExp(`^${home}/pullrequests/(\\d+)(/comments)?$`).exec(path) ?? []
    if (all.has(Number(id))) {
      asked.push(`${method} pullrequests/${id}${rest ?? ''}`)
      if (rest === undefined) return json(shown(Number(id)))
      if (method === 'GET') return page([])
      comments.push(body)
      return json({ type: 'pullrequest_comment', id: 1 }, { status: 201 })
    }
    const found = [...all.values()].find((fork) => diffOf(fork) === path)
    if (!found) return null
    asked.push(`${method} diff, topic ${query.topic}`)
    return { text: DIFF }
  }
  /** Opens the pull request, or pushes new commits to it. */
  const push = (id: number, { base, target = 'main', state = 'OPEN' }: Partial<Fork> & { base: string }) => {
    const commit = newCommit()
    all.set(id, { commit, base, target, state })
    return commit.slice(0, 12)
  }
  return { push, shown, answer, asked, comments }
}
