// The parts of ClickUp's answers that are read, renamed as they come in.

import { z } from 'zod'

/** Ids are texts, although some of the vendor's pages show numbers. */
const id = z.union([z.string().min(1), z.number().int()]).transform(String)

const named = z.object({ id, name: z.string() })

export const teams = z.object({ teams: z.array(named) }).transform(({ teams: given }) => given)
export const spaces = z.object({ spaces: z.array(named) }).transform(({ spaces: given }) => given)
export const lists = z.object({ lists: z.array(named) }).transform(({ lists: given }) => given)

const folder = z.object({ name: z.string(), lists: z.array(named).nullish() })
export const folders = z
  .object({ folders: z.union([z.array(folder), folder.transform((one) => [one])]) })
  .transform(({ folders: given }) => given)

const status = z.object({
  id: z.string().nullish(),
  status: z.string().min(1),
  color: z.string().nullish(),
  orderindex: z.number().nullish(),
  type: z.string().nullish(),
})
export const list = z.object({
  id,
  name: z.string().nullish(),
  override_statuses: z.boolean().nullish(),
  statuses: z.array(status).nullish(),
  space: z.object({ id }).nullish(),
})
export const space = z.object({ statuses: z.array(status).nullish() })

const tag = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)])
const milliseconds = z.union([z.string(), z.number()]).transform(Number)

export const task = z
  .object({
    id,
    status: z.object({ status: z.string().min(1) }),
    date_created: milliseconds.nullish(),
    date_updated: milliseconds,
    tags: z.array(tag).nullish(),
    text_content: z.string().nullish(),
    list: z.object({ id }).nullish(),
  })
  .transform((given) => ({
    id: given.id,
    state: given.status.status,
    createdAt: given.date_created ?? given.date_updated,
    updatedAt: given.date_updated,
    tags: (given.tags ?? []).map((name) => name.toLowerCase()),
    text: given.text_content ?? '',
    listId: given.list?.id ?? null,
  }))
export type Task = z.infer<typeof task>

export const tasks = z.object({ tasks: z.array(task), last_page: z.boolean().nullish() })

const webhook = z.object({
  id,
  endpoint: z.string(),
  secret: z.string().nullish(),
  list_id: id.nullish(),
  health: z.object({ status: z.string() }).nullish(),
})
export const webhooks = z.object({ webhooks: z.array(webhook) }).transform(({ webhooks: given }) => given)
export const madeWebhook = z.object({ webhook }).transform(({ webhook: given }) => given)

export const hookBody = z.object({
  event: z.string(),
  task_id: id.nullish(),
  webhook_id: z.string().nullish(),
  history_items: z
    .array(
      z.object({
        id: id.nullish(),
        date: id.nullish(),
        user: z.object({ username: z.string().nullish() }).nullish(),
        after: z.union([z.object({ status: z.string() }), z.unknown()]).nullish(),
      }),
    )
    .nullish(),
})
