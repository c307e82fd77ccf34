// Converts a component of a bill of materials into a staged row.

import { sha256In } from '../../core/crypto.ts'
import type { Component } from '../../reports/types.ts'
import { hash64 } from '../issues/findings/service.ts'
import { cut } from './cut.ts'
import { COMPONENT, type NewStaged } from './store-stage.ts'

const LONGEST_PLACE = 300

/** The staged component; `key` is unique within the asset. */
export function componentRow(at: string, given: Component, scope: string, number: number): NewStaged {
  const word = (text: string | undefined) => cut(text?.trim() || null, 500)
  const component = {
    scope,
    name: word(given.name) ?? word(given.purl) ?? '',
    version: word(given.version),
    purl: cut(given.purl, 2000),
    packageManager: word(given.packageManager),
    license: word(given.license),
    technology: word(given.technology),
  }
  const { name, version, purl, packageManager } = component
  const key = sha256In('hex', JSON.stringify([scope, name, version, packageManager, purl])).slice(0, 32)
  const payload = JSON.stringify({ ...component, key })
  return {
    kind: COMPONENT,
    bucket: hash64(key),
    file: '0',
    number,
    section: 0,
    at: cut(at, LONGEST_PLACE) ?? '',
    payload,
  }
}
