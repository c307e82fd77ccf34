// The parts of GitLab's answers that are read, renamed as they come in.

import { z } from 'zod'

const text = z.string().min(1)

/** `message` is a sentence, or the faults of each field. */
export const refusal = z.object({
  message: z.union([z.string(), z.record(z.string(), z.array(z.string()))]).nullish(),
  error_description: z.string().nullish(),
  error: z.string().nullish(),
})

/** A number where the vendor answers, and text where it describes its answers. */
const id = z.union([z.number().int(), z.string()]).transform(String)

export const user = z.object({ id: z.number().int() })

export const group = z
  .object({ id: z.coerce.string(), name: z.string(), full_name: z.string().nullish(), full_path: z.string().nullish() })
  .transform(({ id, name, full_name, full_path }) => ({
    id,
    name: full_name ?? name,
    uuid: full_path ?? id,
  }))

export const project = z
  .object({
    id: z.number().int(),
    path_with_namespace: z.string().nullish(),
    name: z.string().nullish(),
    default_branch: z.string().nullish(),
  })
  .transform(({ id, path_with_namespace, name, default_branch }) => ({
    id: String(id),
    name: path_with_namespace ?? name ?? String(id),
    defaultBranch: default_branch ?? null,
  }))

export const branch = z
  .object({
    name: text,
    commit: z.object({ id: text, parent_ids: z.array(z.string()).nullish(), committed_date: z.string().nullish() }),
  })
  .transform(({ name, commit }) => ({
    branch: name,
    commit: commit.id,
    parent: commit.parent_ids?.[0] ?? null,
    at: commit.committed_date ?? null,
  }))

/** `too_large` and `collapsed`: the change of the file is not told. */
export const fileChange = z.object({
  diff: z.string().nullish(),
  old_path: text,
  new_path: text,
  a_mode: z.string().nullish(),
  b_mode: z.string().nullish(),
  new_file: z.boolean().nullish(),
  renamed_file: z.boolean().nullish(),
  deleted_file: z.boolean().nullish(),
  too_large: z.boolean().nullish(),
  collapsed: z.boolean().nullish(),
})

export const comparison = z.object({ diffs: z.array(fileChange), compare_timeout: z.boolean().nullish() })

export const hook = z
  .object({ id: z.number().int(), url: z.string().nullish(), signing_token_present: z.boolean().nullish() })
  .transform(({ id, url, signing_token_present }) => ({
    id: String(id),
    url: url ?? '',
    isSigned: signing_token_present === true,
  }))

/** `from` is the project of its source: null where that is gone, undefined where it is not told. */
export const mergeRequest = z
  .object({
    iid: z.number().int(),
    state: z.string().nullish(),
    target_branch: z.string().nullish(),
    source_project_id: id.nullish(),
  })
  .transform(({ iid, state, target_branch, source_project_id }) => ({
    iid: String(iid),
    state: state ?? '',
    target: target_branch ?? null,
    from: source_project_id,
  }))

/** A merge request as it stands; `base` is where it left its target. */
export const openRequest = z
  .object({
    state: text,
    sha: text,
    source_project_id: id.nullish(),
    target_project_id: id,
    target_branch: text,
    diff_refs: z.object({ base_sha: text.nullish() }).nullish(),
  })
  .transform((given) => ({
    isOpen: given.state === 'opened',
    isMerged: given.state === 'merged',
    // the project of a fork may be gone
    isFromFork: given.source_project_id !== given.target_project_id,
    commit: given.sha,
    target: given.target_branch,
    base: given.diff_refs?.base_sha ?? null,
  }))

export const note = z
  .object({ id: z.number().int(), body: z.string(), system: z.boolean().nullish() })
  .transform(({ id, body, system }) => ({ id, text: system ? '' : body }))

export const pushed = z.object({ object_kind: z.literal('push'), ref: text, before: text, after: text })

export const opened = z.object({
  object_kind: z.literal('merge_request'),
  object_attributes: z.object({
    iid: z.number().int().nullish(),
    action: z.string().nullish(),
    /** where it stood before; only where commits were added */
    oldrev: z.string().nullish(),
    target_branch: z.string().nullish(),
    source_branch: text,
    source_project_id: id,
    target_project_id: id,
    last_commit: z.object({ id: text }),
  }),
})
