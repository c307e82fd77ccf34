// Checks for LDAP injection: values that close a filter, conditions whose truth the response follows, and errors of directories.

import type { PointCheck } from '../check.ts'
import { followsTruth, type Pair, takesText, textValue } from '../probing.ts'
import { mayNameAccounts } from '../resets.ts'

const ERROR =
  /javax\.naming\.(NameNotFoundException|directory\.InvalidSearchFilterException|NamingException)|LDAPException|com\.sun\.jndi\.ldap|Protocol error occurred|Search: Bad search filter|ldap_search\(\)|Invalid DN syntax|\bldap3?\.core\.exceptions\.|ldap\.FILTER_ERROR|LDAPInvalidFilterError|supplied argument is not a valid ldap/i
const XPATH =
  /XPath(Expression)?Exception|MS\.Internal\.Xml\.|Unknown error in XPath|org\.apache\.xpath\.XPath|A closing bracket expected in|xmlXPathEval|Warning.{1,80}(SimpleXMLElement::xpath|DOMXPath)|lxml\.etree\.XPathEvalError|XPathEvalError|Invalid predicate|XPathSyntaxError|Expression must evaluate to a node-set|XPath (parse|syntax) error|error in XPath expression/i

export const ldap: PointCheck = {
  kind: 'point',
  id: 'ldap-injection',
  title: 'LDAP injection',
  cwes: [90],
  severity: 'HIGH',
  solution: 'Escape values in filters (RFC 4515) and in names (RFC 4514).',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && !['header', 'cookie'].includes(point.place),
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (!baseline) return null
    const text = textValue(point)
    // the second where the value is the whole filter
    for (const value of ERROR.test(baseline.exchange.text) ? [] : [`${text})(&(|(\\`, ')(&(|(\\']) {
      const broken = await context.attempt(operation, [{ point, value }])
      const error = broken && ERROR.exec(broken.text)?.[0]
      if (!broken || !error) continue
      const again = await context.attempt(operation, [{ point, value }])
      if (again && ERROR.test(again.text))
        return {
          detail: 'Parentheses in the value cause a filter syntax error in the directory.',
          proof: [error],
          exchange: broken,
        }
    }
    for (const start of mayNameAccounts(operation, context) ? [text, '*'] : []) {
      const told = await followsTruth(entries(start, context.word), point, operation, context)
      if (!told || told.whenTrue.answer.status >= 500) continue
      // whatever judges the signs of the two rather than what they mean takes these alike
      if (!(await followsTruth(alternatives(start, context.word), point, operation, context))) continue
      return {
        detail:
          'The response follows a filter condition in the value: it differs between objectClass, which every entry has, and an attribute that none has.',
        proof: [told.whenTrue.text.slice(0, 200)],
        exchange: told.whenTrue,
      }
    }
    return null
  },
}

/**
 * A condition that all entries meet, and one of the same form that none meets. The name is new each time, so that nothing that keeps
 * what it was sent, and finds it again, follows it.
 */
const entries = (start: string, word: () => string): Pair => ({
  name: 'objectClass',
  of: (left, right) => `${start})(${left === right ? '|' : '&'}(objectClass=*)(${word()}=*)`,
})

/** The same with one sign in both: only the name decides. */
const alternatives = (start: string, word: () => string): Pair => ({
  name: 'objectClass',
  of: (left, right) => `${start})(|(${left === right ? 'objectClass' : word().slice(0, 11)}=*)(${word()}=*)`,
})

export const xpathErrors: PointCheck = {
  kind: 'point',
  id: 'xpath-injection-error',
  title: 'XPath injection',
  cwes: [643],
  severity: 'HIGH',
  solution: 'Pass values to XPath as variables, never as part of the expression.',
  profile: 'BALANCED',
  accepts: (point) => takesText(point) && !['header', 'cookie'].includes(point.place),
  async probe(point, operation, context) {
    const baseline = await context.baseline(operation)
    if (!baseline || XPATH.test(baseline.exchange.text)) return null
    // nothing that opens a comment or a tag: where it is stored, it would hide what stands after it in a page
    for (const value of [`${textValue(point)}'"]`, '][']) {
      const exchange = await context.attempt(operation, [{ point, value }])
      const error = exchange && XPATH.exec(exchange.text)?.[0]
      if (!exchange || !error) continue
      const again = await context.attempt(operation, [{ point, value }])
      if (again && XPATH.test(again.text))
        return {
          detail: 'A quote in the value causes an XPath syntax error.',
          proof: [error],
          exchange,
        }
    }
    return null
  },
}
