// Values learnt from the target's responses: ids and others, by name and by the resource they belong to, for operations that take them.

import { isList, isObject, readJson } from './json-leaves.ts'
import type { Exchange, Json, Operation, Schema } from './types.ts'

export type ValueBank = {
  /** Stores the leaves of a JSON response about such a resource. */
  learn: (resource: string, exchange: Exchange) => void
  /** A value from a response for such a parameter of that operation; undefined if there is none. */
  find: (operation: Operation, name: string) => string | undefined
}

const MOST_VALUES = 20_000
const MOST_LEAVES = 2_000
const LONGEST_VALUE = 300

/** Whether the description gives neither a value nor words to choose from. */
export const isMadeUpValue = (schema: Schema | undefined): boolean =>
  schema?.example === undefined && schema?.default === undefined && schema?.enum === undefined

/** `userId`, `user_id` and `User-ID` are one name. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The normalised last name of a path such as `user.address.postCode`. */
export const leafName = (name: string): string => plainName(name.split('.').at(-1) ?? name)

/** `users` → `user`, `categories` → `category`. */
export const singular = (word: string): string =>
  word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /(ses|xes|ches|shes)$/.test(word)
      ? word.slice(0, -2)
      : word.endsWith('s') && !word.endsWith('ss')
        ? word.slice(0, -1)
        : word

export function openValueBank(): ValueBank {
  /** normalised name → value, also by `resource.name`; the first value stays, because lists usually start with the oldest items */
  const values = new Map<string, string>()
  const keep = (key: string, value: string) => {
    if (!values.has(key) && values.size < MOST_VALUES) values.set(key, value)
  }

  return {
    learn(resource, { text, answer }) {
      if (answer.status < 200 || answer.status >= 300) return
      const json = readJson(text)
      if (json === undefined) return
      let left = MOST_LEAVES
      const walk = (value: Json, of: string, depth: number): void => {
        if (left <= 0 || depth > 8) return
        if (isList(value)) {
          for (const one of value.slice(0, 5)) walk(one, singular(of), depth + 1)
        } else if (isObject(value)) {
          for (const [name, one] of Object.entries(value)) {
            if (typeof one === 'object' && one !== null) {
              walk(one, WRAPPERS.has(plainName(name)) ? of : singular(plainName(name)), depth + 1)
              continue
            }
            left -= 1
            if (one === null || one === '' || typeof one === 'boolean') continue
            const text = String(one)
            if (text.length > LONGEST_VALUE) continue
            keep(`${of}.${plainName(name)}`, text)
            if (
              !/^(id|name|title|type|status|value|key|code|message|error|success|data|count|total)$/.test(
                plainName(name),
              )
            )
              keep(plainName(name), text)
          }
        }
      }
      walk(json, resource, 0)
    },
    find(operation, name) {
      const plain = plainName(name)
      const resource = resourceOf(operation, name)
      const direct = values.get(`${resource}.${plain}`)
      if (direct !== undefined) return direct
      const parts = /^(.{2,60}?)(id|uuid|guid|name|slug|key|number|code)$/.exec(plain)
      if (parts) {
        const [, of = '', what = ''] = parts
        const owned = values.get(`${of}.${what}`) ?? (what === 'id' ? values.get(`${of}.uuid`) : undefined)
        if (owned !== undefined) return owned
      }
      const named = values.get(plain)
      if (named !== undefined) return named
      if (/^(id|uuid|guid|pk)$/.test(plain)) return values.get(`${resource}.id`) ?? values.get(`${resource}.uuid`)
      return /id$/.test(plain) ? values.get(`${resource}.id`) : undefined
    },
  }
}

/** Names of members that only wrap the content of a response. */
const WRAPPERS = new Set([
  'data',
  'result',
  'results',
  'items',
  'rows',
  'records',
  'list',
  'content',
  'collection',
  'nodes',
  'node',
  'edges',
  'payload',
  'response',
  'body',
  'hits',
  'docs',
  'values',
  'entities',
  'embedded',
])

/** The resource of an operation: the last fixed segment of its path before the parameter, or the GraphQL field. */
export function resourceOf(operation: Operation, parameter?: string): string {
  const field = /#(?:\w+\.)?(\w+)$/.exec(operation.key)?.[1]
  if (field)
    return singular(
      plainName(field.replace(/^(get|list|all|find|create|add|update|edit|delete|remove|search)/i, '') || field),
    )
  const segments = operation.path.split('/').filter(Boolean)
  const end = parameter === undefined ? -1 : segments.indexOf(`{${parameter}}`)
  const before = (end < 0 ? segments : segments.slice(0, end)).filter(
    (one) => !one.includes('{') && !/^(api|rest|v\d+)$/i.test(one),
  )
  return singular(plainName(withoutVerb(before.at(-1) ?? '')))
}

/** Removes a verb and a version: `get_customers` → `customers`, `getCustomer_v2` → `Customer`. */
const withoutVerb = (segment: string): string =>
  segment
    .replace(/[-_.]?v\d{1,2}$/i, '')
    .replace(
      /^(get|list|all|find|fetch|show|view|create|add|update|edit|delete|remove|search)([-_]|(?=[A-Z]))(?=.)/,
      '',
    )
