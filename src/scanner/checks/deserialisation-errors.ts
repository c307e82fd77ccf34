// Checks for unsafe deserialisation by an error: the target looked for the class that the value names.

import { percentDecoded } from '../../core/percent.ts'
import type { PointCheck } from '../check.ts'
import { isSettled } from '../found.ts'
import { takesText, textValue } from '../probing.ts'
import type { Point } from '../types.ts'

type Form = {
  name: string
  fits: (text: string, point: Point) => boolean
  /** a serialised object whose class has that name */
  of: (name: string) => string
  /** the error that shows that the class was looked up */
  says: (name: string) => RegExp
}

const base64 = (bytes: Buffer) => bytes.toString('base64')
const isNamed = ({ name }: Point) => /pickle|serial|object|session|state|data|cart|import|yaml|yml/i.test(name)

/** A serialised Java object without fields: its class, its version, its flags, no superclass. */
function javaObject(name: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(name.length)
  return Buffer.concat([
    Buffer.from('aced00057372', 'hex'),
    length,
    Buffer.from(name),
    Buffer.from('0000000000000001' + '02' + '0000' + '7870', 'hex'),
  ])
}

const noModule = (name: string) => new RegExp(`(No module named|cannot find module|not find.{0,40}) ?\\W{0,10}${name}`)
const pickle = (name: string) => `c${name}\nobject\n.`

const forms: readonly Form[] = [
  {
    name: 'PHP',
    fits: (text) => /^([aO]:\d{1,9}:|s:\d{1,9}:"|[ibd]:[\d.-]{1,20};|N;)/.test(text),
    // no closure is ever read back, so that asking for one runs nothing
    of: () => 'O:7:"Closure":0:{}',
    says: () => /Unserialization of 'Closure' is not allowed/,
  },
  {
    name: 'PHP',
    fits: (text) => /^(YTo|Tzo|czo|aTo|Yjo)[A-Za-z0-9+/]{4,}={0,2}$/.test(text),
    of: () => base64(Buffer.from('O:7:"Closure":0:{}')),
    says: () => /Unserialization of 'Closure' is not allowed/,
  },
  {
    name: 'Java',
    fits: (text) => text.startsWith('rO0'),
    of: (name) => base64(javaObject(name)),
    says: (name) => new RegExp(`(ClassNotFoundException|NoClassDefFoundError)\\W{1,5}${name}`),
  },
  {
    name: 'Python',
    fits: (text, point) => /^(gA[JSUW]|Y[2M3][\w+/])[\w+/-]{2,}={0,2}$/.test(text) || isNamed(point),
    of: (name) => base64(Buffer.from(pickle(name))),
    says: noModule,
  },
  {
    name: 'Python',
    fits: (text, point) => /^[(c\u0080\ufffd]/.test(text) || isNamed(point),
    of: pickle,
    says: noModule,
  },
  {
    name: 'YAML',
    fits: (text, point) => isNamed(point) || /^[\w-]{1,60}: /.test(text),
    of: (name) => `!!python/object:${name}.object {}`,
    says: noModule,
  },
  {
    name: 'Ruby',
    fits: (text, point) => text.startsWith('BAh') || isNamed(point),
    of: (name) => base64(Buffer.concat([Buffer.from('\u0004\bo:', 'latin1'), rubyName(name), Buffer.from('\u0000')])),
    says: (name) => new RegExp(`undefined class/module ${name}`, 'i'),
  },
]

/** A Ruby symbol with its length; class names begin with a capital letter. */
const rubyName = (name: string): Buffer =>
  Buffer.concat([Buffer.from([name.length + 5]), Buffer.from(name.charAt(0).toUpperCase() + name.slice(1))])

export const deserialisationErrors: PointCheck = {
  kind: 'point',
  id: 'unsafe-deserialisation-error',
  title: 'Unsafe deserialization',
  cwes: [502],
  severity: 'HIGH',
  solution:
    'Read data with a parser that creates plain values only, never with one that loads classes named in the text.',
  profile: 'BALANCED',
  accepts: takesText,
  async probe(point, operation, context) {
    if (isSettled(502, operation, point, context)) return null
    const text = percentDecoded(textValue(point))
    for (const { name: language, fits, of, says } of forms) {
      if (!fits(text, point)) continue
      const ask = async () => {
        const name = context.word()
        const exchange = await context.attempt(operation, [{ point, value: of(name) }])
        const proof = exchange && says(name).exec(exchange.text)?.[0]
        return exchange && proof ? { exchange, proof } : null
      }
      const baseline = await context.baseline(operation)
      const isUsual = baseline === null || says('').test(baseline.exchange.text)
      const shown = !isUsual && (await ask()) ? await ask() : null
      if (!shown) continue
      return {
        detail: `The value is deserialized as a ${language} object: the target tried to load the class that it names.`,
        proof: [shown.proof],
        exchange: shown.exchange,
      }
    }
    return null
  },
}
