// The parts of Bitbucket's answers that are read, renamed as they come in.

import { z } from 'zod'

const text = z.string().min(1)

export const refusal = z.object({ error: z.object({ message: z.string(), detail: z.string().nullish() }) })

/** A page: `next` is the address of the one after it, `size` how many there are in all, where it is told. */
export const pageOf = <T>(item: z.ZodType<T>) =>
  z.object({ values: z.array(item), next: z.string().nullish(), size: z.number().int().nonnegative().nullish() })

export const workspaceAccess = z
  .object({ workspace: z.object({ uuid: text, slug: text }) })
  .transform(({ workspace }) => workspace)

export const workspace = z.object({ name: z.string().nullish() })

export const repository = z
  .object({ uuid: text, full_name: text, mainbranch: z.object({ name: text }).nullish() })
  .transform(({ uuid, full_name, mainbranch }) => ({
    uuid,
    workspace: full_name.split('/')[0] ?? '',
    name: full_name,
    mainBranch: mainbranch?.name ?? null,
  }))

const commit = z.object({ hash: text })

export const branch = z
  .object({ name: text, target: commit.extend({ parents: z.array(commit).nullish(), date: z.string().nullish() }) })
  .transform(({ name, target }) => ({
    branch: name,
    commit: target.hash,
    parent: target.parents?.[0]?.hash ?? null,
    at: target.date ?? null,
  }))

export const hook = z.object({ uuid: text, url: z.string().nullish() })

/** `from` is the repository of its source: null where that is gone, undefined where it is not told. */
export const pullRequest = z
  .object({
    id: z.number().int(),
    merge_commit: commit.nullish(),
    source: z.object({ repository: z.object({ uuid: text }).nullish() }).nullish(),
  })
  .transform(({ id, merge_commit, source }) => ({
    id,
    mergedAs: merge_commit?.hash ?? null,
    from: source ? (source.repository?.uuid ?? null) : undefined,
  }))

const OPEN: readonly string[] = ['OPEN', 'DRAFT', 'QUEUED']

const end = z.object({
  commit,
  branch: z.object({ name: text }),
  repository: z.object({ uuid: text, full_name: text }),
})

/** A pull request as it stands; `base` is the commit of its target, `repository` its name, `diff` the address of what it changes. */
export const openRequest = z
  .object({
    state: text,
    // the repository of a fork may be gone
    source: end.extend({ repository: z.object({ uuid: text }).nullish() }),
    destination: end,
    links: z.object({ diff: z.object({ href: text }) }),
  })
  .transform(({ state, source, destination, links }) => ({
    isOpen: OPEN.includes(state),
    isMerged: state === 'MERGED',
    isFromFork: source.repository?.uuid !== destination.repository.uuid,
    commit: source.commit.hash,
    target: destination.branch.name,
    base: destination.commit.hash,
    repository: destination.repository.full_name,
    diff: links.diff.href,
  }))

export const comment = z
  .object({ id: z.number().int(), deleted: z.boolean().nullish(), content: z.object({ raw: z.string() }).nullish() })
  .transform(({ id, deleted, content }) => ({ id, text: deleted ? '' : (content?.raw ?? '') }))

const moved = z.object({ type: z.string(), name: text, target: commit })

export const pushed = z.object({
  push: z.object({ changes: z.array(z.object({ new: moved.nullish(), old: moved.nullish() })) }),
})

export const opened = z.object({
  repository: z.object({ uuid: text }),
  pullrequest: z.object({
    id: z.number().int().nullish(),
    destination: z.object({ branch: z.object({ name: text }) }).nullish(),
    source: z.object({
      branch: z.object({ name: text }),
      commit: commit.nullish(),
      repository: z.object({ uuid: text }).nullish(),
    }),
  }),
})
