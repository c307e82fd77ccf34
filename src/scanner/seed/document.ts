// Parses a description from JSON or YAML, and resolves its references.

import { load } from 'js-yaml'
import { percentDecoded } from '../../core/percent.ts'
import { isList, isObject } from '../json-leaves.ts'
import type { Json } from '../types.ts'

export type Document = { readonly [name: string]: Json }

const LONGEST = 20 * 1024 * 1024
/** Values of a YAML document, each counted as often as it is referred to. */
const MOST_VALUES = 1_000_000

/** Null when the text is neither JSON nor YAML, or no object. */
export function readDocument(text: string): Document | null {
  if (text.length > LONGEST) return null
  try {
    const value: Json = /^\s*[{[]/.test(text) ? JSON.parse(text) : plainJson(load(text))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** YAML has dates, which JSON has not; a value that is reached on several ways is copied, one that holds itself is cut. */
function plainJson(document: unknown): Json {
  let left = MOST_VALUES
  const plain = (value: unknown, depth: number): Json => {
    left -= 1
    if (left < 0) throw new Error('too many values')
    if (value instanceof Date) return value.toISOString()
    if (Array.isArray(value)) return depth > 60 ? [] : value.map((one) => plain(one, depth + 1))
    if (typeof value === 'object' && value !== null) {
      if (depth > 60) return {}
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, depth + 1)]))
    }
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
  }
  return plain(document, 0)
}

/** What `#/components/schemas/User` points to in the document; undefined for what is elsewhere or nowhere. */
function resolve(document: Document, reference: string): Json | undefined {
  if (!reference.startsWith('#')) return undefined
  let now: Json | undefined = document
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (isObject(now)) now = Object.hasOwn(now, key) ? now[key] : undefined
    else if (isList(now)) now = now[Number(key)]
    else return undefined
  }
  return now
}

/** The object itself, or what its `$ref` leads to, after at most 20 steps; an empty one when it leads nowhere. */
export function deref(document: Document, value: Json | undefined): Document {
  let now: Json | undefined = value
  for (let steps = 0; steps < 20; steps += 1) {
    if (!isObject(now)) return {}
    if (typeof now.$ref !== 'string') return now
    now = resolve(document, now.$ref)
  }
  return {}
}

export const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
export const listIn = (value: Json | undefined): readonly Json[] => (isList(value) ? value : [])
export const objectIn = (value: Json | undefined): Document => (isObject(value) ? value : {})
