// Tells by the text of a function whether it puts values under keys that it does not choose, deep within an object.

import type { Routine } from '../tree.ts'

/** Signs of a function that skips the keys of the prototype. */
const LEAVES_OUT = /__proto__|['"`]prototype['"`]|(?:Safe|Forbidden|Denied|Blocked|Allowed)_?Key|Pollut/i

/** The most loops and steps of one function that are looked at, because for each the whole function is searched. */
const MOST = 20

/** Whether a function copies all keys of one object into another that it was given, and calls itself for nested objects. */
export function mergesAll({ name, parameters, text }: Routine): boolean {
  const code = text()
  const body = code.slice(code.search(/\{|=>/))
  if (LEAVES_OUT.test(code) || !/^\w+$/.test(name) || !new RegExp(`\\b${name}\\(`).test(body)) return false
  const names = namesOf(parameters)
  const isCopied = names.some((from) => {
    const [key] = keysOver(code, from)
    return key !== undefined && names.some((into) => into !== from && takes(code, into, key))
  })
  return isCopied || mergesArguments(code)
}

const namesOf = (parameters: Routine['parameters']): string[] =>
  parameters.flatMap(({ target }) => (target.k === 'name' && /^\w+$/.test(target.name) ? [target.name] : []))

/** Of however many arguments, all are copied into one that has things of its own, which are looked at as well. */
function mergesArguments(code: string): boolean {
  if (!/\barguments\b|\.\.\.\w/.test(code)) return false
  return keysOver(code, '\\w+').some((key) => {
    const into = new RegExp(`\\b(\\w+)\\s*\\[\\s*${key}\\s*\\]\\s*=[^=]`).exec(code)?.[1]
    return (
      into !== undefined &&
      takes(code, into, key) &&
      new RegExp(`\\b${into}\\s*\\[\\s*${key}\\s*\\](?!\\s*=[^=])`).test(code)
    )
  })
}

/** The variables of loops over the keys of an object. */
function keysOver(code: string, object: string): string[] {
  const loop = new RegExp(
    `for \\((?:(?:const|let|var) )?(?:(\\w+) in ${object}\\)|\\[?(\\w+)[^)]{0,40} of Object\\.(?:keys|entries)\\(${object}\\))`,
    'g',
  )
  const each = new RegExp(
    `Object\\.(?:keys|entries)\\(${object}\\)\\.(?:forEach|map)\\((?:function )?\\(?\\[?(\\w+)`,
    'g',
  )
  const plain = code
    .replace(/\s+/g, ' ')
    .replaceAll('for(', 'for (')
    .replaceAll('( ', '(')
    .replaceAll('function(', 'function (')
  const loops = [...plain.matchAll(loop), ...plain.matchAll(each)].slice(0, MOST)
  return loops.flatMap(([, ...keys]) => keys.filter((key) => key))
}

const takes = (code: string, into: string, key: string): boolean =>
  new RegExp(`\\b${into}\\s*\\[\\s*${key}\\s*\\]\\s*=[^=]`).test(code) && !asksOwn(code, into) && !looksUp(code, key)

const asksOwn = (code: string, object: string): boolean =>
  new RegExp(`hasOwn(?:Property)?(?:\\.call)?\\(\\s*${object}\\b|\\b${object}\\.hasOwn`).test(code)

/** Whether the key is looked up in a list whose name is that of a constant. */
const looksUp = (code: string, key: string): boolean =>
  new RegExp(`\\b[A-Z][A-Z\\d_]+\\.(?:has|includes|test)\\(\\s*${key}\\b`).test(code)

/**
 * Whether a function goes from an object to what is within it, key by key, and then puts a value there:
 * `at = at[key]` in a loop, and `at[last] = value`.
 */
export function descendsByKeys({ parameters, text }: Routine): boolean {
  const code = text()
  if (LEAVES_OUT.test(code) || !/\b(?:for|while|forEach|reduce)\b/.test(code)) return false
  const given = namesOf(parameters)
  const steps = [...code.matchAll(/\b(\w+)\s*=\s*\1\s*\[\s*([\w.]+)[^=;\n]*\]/g)].slice(0, MOST)
  for (const [, at = '', key = ''] of steps) {
    const put = new RegExp(`\\b${at}\\s*\\[[^=\\n]{1,40}\\]\\s*=\\s*(\\w+)\\b(?!\\s*[[.(])`, 'g')
    const isPut = [...code.matchAll(put)].some(([, value = '']) => given.includes(value))
    if (isPut && !asksOwn(code, at) && !looksUp(code, key)) return true
  }
  return false
}
