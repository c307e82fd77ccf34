// Small interpreters of LDAP filters, XPath conditions, document queries and templates, so that flaws in their use are real.
import { runInNewContext } from 'node:vm'

type Entry = Record<string, string>

/** Whether an entry meets a filter of RFC 4515 made of `&`, `|`, `!`, equality and `*`; throws where the filter is malformed. */
export function matchesLdap(filter: string, entry: Entry): boolean {
  let at = 0
  const fail = (): never => {
    throw new Error(`javax.naming.directory.InvalidSearchFilterException: Bad search filter at ${at} in ${filter}`)
  }
  const take = (character: string) => {
    if (filter[at] !== character) fail()
    at += 1
  }
  const parse = (): boolean => {
    take('(')
    const operator = filter[at] ?? ''
    let result: boolean
    if ('&|!'.includes(operator) && operator !== '') {
      at += 1
      const parts: boolean[] = []
      while (filter[at] === '(') parts.push(parse())
      result = operator === '&' ? parts.every(Boolean) : operator === '|' ? parts.some(Boolean) : !parts[0]
    } else {
      const end = filter.slice(at).search(/[()]/)
      const [name = '', value] = filter.slice(at, end < 0 ? undefined : at + end).split('=')
      if (value === undefined) fail()
      at = end < 0 ? filter.length : at + end
      result = like(entry[name], value ?? '')
    }
    take(')')
    return result
  }
  // As directory servers do, what follows a complete filter is left alone.
  return parse()
}

function like(value: string | undefined, pattern: string): boolean {
  if (value === undefined) return false
  if (!pattern.includes('*')) return value === unescapeLdap(pattern)
  const [first = '', ...rest] = pattern.split('*').map(unescapeLdap)
  const last = rest.at(-1) ?? ''
  return value.startsWith(first) && value.endsWith(last) && rest.every((part) => value.includes(part))
}

const unescapeLdap = (text: string) =>
  text.replace(/\\([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
export const escapeLdap = (text: string) =>
  text.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Whether an entry meets the condition of an XPath step: equalities of names, texts, lengths and numbers with `and`, `or`, `not()`. */
export function matchesXpath(condition: string, entry: Entry): boolean {
  const tokens = condition.match(/'[^']*'|"[^"]*"|!=|[=()]|[\w@.*-]+|\S/g) ?? []
  let at = 0
  const fail = (): never => {
    throw new Error(`XPathException: Invalid expression: [${condition}]`)
  }
  const value = (): string => {
    const token = tokens[at] ?? fail()
    at += 1
    if (token === 'string-length' && tokens[at] === '(') {
      at += 1
      const { length } = value()
      if (tokens[at] !== ')') fail()
      at += 1
      return String(length)
    }
    if (/^['"].*['"]$/.test(token)) return token.slice(1, -1)
    if (/^[\d.]+$/.test(token)) return token
    if (/^[A-Za-z@*][\w-]*$/.test(token)) return entry[token] ?? ''
    return fail()
  }
  const unit = (): boolean => {
    if (tokens[at] === 'not' && tokens[at + 1] === '(') {
      at += 1
      return !unit()
    }
    if (tokens[at] === '(') {
      at += 1
      const inner = either()
      if (tokens[at] !== ')') fail()
      at += 1
      return inner
    }
    const left = value()
    if (tokens[at] !== '=' && tokens[at] !== '!=') return left !== ''
    const isEqual = tokens[at] === '='
    at += 1
    return (left === value()) === isEqual
  }
  const both = (): boolean => {
    let result = unit()
    while (tokens[at] === 'and') {
      at += 1
      const next = unit()
      result = result && next
    }
    return result
  }
  const either = (): boolean => {
    let result = both()
    while (tokens[at] === 'or') {
      at += 1
      const next = both()
      result = result || next
    }
    return result
  }
  const result = either()
  if (at < tokens.length) fail()
  return result
}

/** Whether a field meets a document query: a value, or an object of `$eq`, `$ne`, `$gt`, `$gte`, `$in`, `$regex`, `$exists`. */
export function matchesDocument(query: unknown, field: string): boolean {
  if (typeof query !== 'object' || query === null) return query === field
  return Object.entries(query).every(([operator, operand]) => {
    if (operator === '$eq') return operand === field
    if (operator === '$ne') return operand !== field
    if (operator === '$gt') return field > String(operand)
    if (operator === '$gte') return field >= String(operand)
    if (operator === '$in') return Array.isArray(operand) && operand.includes(field)
    if (operator === '$regex') return new RegExp(String(operand)).test(field)
    if (operator === '$exists') return operand === true
    throw new Error(`MongoServerError: unknown operator: ${operator}`)
  })
}

/** What JavaScript makes of an expression, without the globals of this process. */
export const evaluate = (expression: string): unknown => runInNewContext(expression, {}, { timeout: 300 })

/** A template with its `{{ expression }}` replaced. */
export const renderTemplate = (template: string): string =>
  template.replace(/\{\{(.+?)\}\}/g, (_, expression: string) => String(evaluate(expression)))
