// LDAP injection: filters that a value closes, and conditions in it whose truth the answer follows; errors of directories.

import { likenessOf } from '../compare.ts'
import { takesText, textValue } from '../probing.ts'
import type { PointCheck } from '../types.ts'

const ERROR =
  /javax\.naming\.(NameNotFoundException|directory\.InvalidSearchFilterException|NamingException)|LDAPException|com\.sun\.jndi\.ldap|Protocol error occurred|Search: Bad search filter|ldap_search\(\)|Invalid DN syntax|\bldap3?\.core\.exceptions\.|ldap\.FILTER_ERROR|LDAPInvalidFilterError|supplied argument is not a valid ldap/i
const XPATH =
  /XPathException|MS\.Internal\.Xml\.|Unknown error in XPath|org\.apache\.xpath\.XPath|A closing bracket expected in|xmlXPathEval|Warning.{1,80}(SimpleXMLElement::xpath|DOMXPath)|lxml\.etree\.XPathEvalError|XPathEvalError|Invalid predicate|XPathSyntaxError|Expression must evaluate to a node-set/i

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
    const broken = await context.attempt(operation, [{ point, value: `${text})(&(|(\\` }])
    const error = broken && ERROR.exec(broken.text)?.[0]
    if (broken && error && !ERROR.test(baseline.exchange.text)) {
      const again = await context.attempt(operation, [{ point, value: `${text})(&(|(\\` }])
      if (again && ERROR.test(again.text))
        return {
          detail: 'Brackets in the value make the directory answer that the filter is broken.',
          proof: [error],
          exchange: broken,
        }
    }
    const ask = (value: string) => context.attempt(operation, [{ point, value }])
    const isAlike = async (one: string, other: string) => {
      const [left, right] = [await ask(one), await ask(other)]
      if (!left || !right) return null
      return { likeness: likenessOf(left, right, [one, other]), left, right }
    }
    // a condition that all entries meet, and one that none meets, of the same form
    for (const make of [(name: string) => `${text})(${name}=*`, (name: string) => `*)(${name}=*`]) {
      const told = await isAlike(make('objectClass'), make('objectKlazz'))
      if (!told || told.likeness > 0.97 || told.left.answer.status >= 500) continue
      const same = await isAlike(make('objectClass'), make('objectclass'))
      const none = await isAlike(make('objectKlazz'), make('objectQlazz'))
      if (same && none && same.likeness > 0.98 && none.likeness > 0.98) {
        return {
          detail:
            'The answer follows a condition of the filter in the value: objectClass, which all entries have, against a name that none has.',
          proof: [told.left.text.slice(0, 200)],
          exchange: told.left,
        }
      }
    }
    return null
  },
}

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
    for (const value of [`${textValue(point)}'"]`, `<!--'"]`]) {
      const exchange = await context.attempt(operation, [{ point, value }])
      const error = exchange && XPATH.exec(exchange.text)?.[0]
      if (!exchange || !error) continue
      const again = await context.attempt(operation, [{ point, value }])
      if (again && XPATH.test(again.text))
        return {
          detail: 'A quote in the value makes XPath answer that the expression is broken.',
          proof: [error],
          exchange,
        }
    }
    return null
  },
}
