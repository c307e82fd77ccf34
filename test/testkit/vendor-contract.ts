// Checks fakes against the vendor's own API description (OpenAPI) if it is beside the project, and otherwise against a small one of ours.

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import { load } from 'js-yaml'
import type { Answer, Seen } from './exchanges.ts'
import { noteExchange } from './exchanges.ts'

export type VendorContract = {
  /** THEIRS: the vendor's own description; OURS: the small file in test/vendor-contracts */
  from: 'THEIRS' | 'OURS'
  /** What in the request and its answer violates the description. */
  faults: (seen: Seen, answer: Exclude<Answer, { write: unknown }>) => string[]
}

type Parameter = { name: string; in: string; required?: boolean; schema?: unknown; $ref?: string }
type Media = Record<string, { schema?: unknown }>
type Operation = {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content?: Media; $ref?: string }
  responses: Record<string, { content?: Media; $ref?: string }>
}
type Description = {
  servers?: { url: string }[]
  paths: Record<string, Record<string, Operation> & { parameters?: Parameter[] }>
}

/** The vendors' descriptions are test data, and not part of the project. */
const THEIRS = process.env.MERLON_VENDOR_CONTRACTS ?? resolve(import.meta.dirname, '../../../shared/vendor-contracts')
const OURS = resolve(import.meta.dirname, '../vendor-contracts')
const told = new Set<string>()
const readBefore = new Map<string, VendorContract>()

/**
 * The contract of a vendor by the name of its file, such as `gitlab/gitlab`; ours is
 * `test/vendor-contracts/gitlab.yaml`, which also covers operations that theirs leaves out. Null if there is neither.
 * It prints once if theirs is not used.
 */
export function vendorContract(name: string): VendorContract | null {
  const theirs = resolve(THEIRS, `${name}.json`)
  const ours = resolve(OURS, `${name.split('/').at(-1)}.yaml`)
  const file = existsSync(theirs) ? theirs : existsSync(ours) ? ours : null
  if (file !== theirs && !told.has(name)) {
    told.add(name)
    const instead = file === null ? 'and there is none of ours: nothing is held to it' : 'ours counts instead'
    process.stderr.write(`The description of ${name} by its vendor is not beside the project; ${instead}\n`)
  }
  if (file === null) return null
  const noted =
    (path: string, { faults }: VendorContract): VendorContract['faults'] =>
    (seen, answer) => {
      const found = faults(seen, answer)
      if (!isNotThere(found)) noteExchange({ contract: path, seen, answer })
      return found
    }
  if (file === ours) return { from: 'OURS', faults: noted(ours, read(ours, 'OURS')) }
  const first = noted(theirs, read(theirs, 'THEIRS'))
  const second = existsSync(ours) ? noted(ours, read(ours, 'OURS')) : null
  const faults: VendorContract['faults'] = (seen, answer) => {
    const found = first(seen, answer)
    return second && isNotThere(found) ? second(seen, answer) : found
  }
  return { from: 'THEIRS', faults }
}

/** Cached, because descriptions are large: each is parsed and compiled once for all tests of a run. */
function read(path: string, from: VendorContract['from']): VendorContract {
  const text = () => readFileSync(path, 'utf8')
  const known = readBefore.get(path) ?? contractOf(path.endsWith('.json') ? JSON.parse(text()) : load(text()), from)
  readBefore.set(path, known)
  return known
}

/**
 * Several descriptions of one origin, of which the first that has the operation applies. `under` is the path below
 * which the vendor is installed.
 */
export function vendorContracts(names: readonly string[], under = ''): VendorContract {
  const all = names.flatMap((name) => vendorContract(name) ?? [])
  const faults: VendorContract['faults'] = (seen, answer) => {
    const asked = { ...seen, path: seen.path.startsWith(under) ? seen.path.slice(under.length) : seen.path }
    let found: string[] = []
    for (const contract of all) {
      found = contract.faults(asked, answer)
      if (!isNotThere(found)) break
    }
    return found
  }
  return { from: all.every(({ from }) => from === 'THEIRS') ? 'THEIRS' : 'OURS', faults }
}

const NOT_THERE = 'is no operation of the vendor'
const isNotThere = (faults: readonly string[]) => faults.length === 1 && faults[0]?.endsWith(NOT_THERE) === true

/** A contract from a description without references to other files. */
export function contractOf(description: Description, from: VendorContract['from']): VendorContract {
  const ajv = new Ajv({ strict: false, validateSchema: false, validateFormats: false, logger: false, allErrors: false })
  ajv.addSchema(plainSchemas(description) as object, 'description')
  const compiled = new Map<string, ValidateFunction>()
  const prefix = new URL(description.servers?.[0]?.url ?? '/', 'http://server').pathname.replace(/\/$/, '')
  const templates = Object.keys(description.paths)
    .map((template) => ({ template, pattern: patternOf(prefix + template) }))
    .sort((one, other) => holes(one.template) - holes(other.template))

  const resolved = <T extends { $ref?: string }>(value: T, pointer: string): { value: T; pointer: string } => {
    if (value.$ref === undefined) return { value, pointer }
    const names = value.$ref.replace(/^#\//, '').split('/').map(unescapePointer)
    const found = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], description)
    return resolved(found as T, names.map((name) => `/${escapePointer(name)}`).join(''))
  }

  const check = (what: string, pointer: string, value: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `description#${encodeURI(pointer)}` })
    compiled.set(pointer, validate)
    if (validate(value)) return []
    const [fault] = validate.errors ?? []
    return [`${what}${fault?.instancePath ?? ''} ${fault?.message ?? 'is wrong'}`]
  }

  const checkBody = (what: string, content: Media | undefined, pointer: string, type: string, value: unknown) => {
    const entries = Object.entries(content ?? {})
    const found = entries.find(([name]) => name === type) ?? entries.find(([name]) => isJson(name) === isJson(type))
    if (!found) return entries.length === 0 || value === undefined ? [] : [`${what} is sent as ${type}`]
    return found[1].schema === undefined
      ? []
      : check(what, `${pointer}/content/${escapePointer(found[0])}/schema`, value)
  }

  const faults: VendorContract['faults'] = (seen, answer) => {
    const at = `${seen.method} ${seen.path}:`
    const method = seen.method.toLowerCase()
    const found = templates.find(({ template, pattern }) => {
      const isThere = pattern.test(seen.path) || pattern.test(decodeURIComponent(seen.path))
      return isThere && description.paths[template]?.[method] !== undefined
    })
    const operation = found && description.paths[found.template]?.[method]
    if (!found || !operation) return [`${at} ${NOT_THERE}`]
    const home = `/paths/${escapePointer(found.template)}/${method}`

    const all = [...(description.paths[found.template]?.parameters ?? []), ...(operation.parameters ?? [])]
    const missing = all
      .map((parameter) => resolved(parameter, '').value)
      .filter(({ required, in: place, name }) => {
        if (!required || (place !== 'query' && place !== 'header')) return false
        return (place === 'query' ? seen.query[name] : seen.headers[name.toLowerCase()]) === undefined
      })
      .map(({ name }) => `${at} lacks ${name}`)

    const body = operation.requestBody && resolved(operation.requestBody, `${home}/requestBody`)
    const type = (seen.headers['content-type'] ?? '').split(';')[0] ?? ''
    const isEmpty = seen.body === '' || seen.body === undefined
    const asked =
      body && !(isEmpty && !body.value.required)
        ? checkBody(`${at} the body`, body.value.content, body.pointer, type, seen.body)
        : []

    const status = String(answer.status ?? 200)
    const key = [status, `${status[0]}XX`, 'default'].find((name) => operation.responses[name])
    if (key === undefined) return [...missing, ...asked, `${at} is never answered with ${status}`]
    const response = resolved(operation.responses[key] ?? {}, `${home}/responses/${key}`)
    const answered =
      answer.json === undefined
        ? []
        : checkBody(`${at} the answer`, response.value.content, response.pointer, 'application/json', answer.json)
    return [...missing, ...asked, ...answered]
  }
  return { from, faults }
}

const isJson = (type: string) => /json/.test(type)
const holes = (template: string) => template.split('{').length
const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescapePointer = (name: string) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')

const patternOf = (template: string) =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`)

/** Removes what a JSON Schema validator rejects in OpenAPI 3.0: examples, operation names, and boolean bounds. */
function plainSchemas(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainSchemas)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name, inner]) => {
    if (/^exclusive(Min|Max)imum$/.test(name)) return typeof inner !== 'boolean'
    return !(/^(example|examples|discriminator)$/.test(name) || (/^\$?id$/.test(name) && typeof inner === 'string'))
  })
  return Object.fromEntries(entries.map(([name, inner]) => [name, plainSchemas(inner)]))
}
