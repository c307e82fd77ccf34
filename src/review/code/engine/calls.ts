// Reads calls: finds what is called, checks what it is given, and notes what it changes and returns.

import { memberPath } from '../patterns.ts'
import type { Expression } from '../tree.ts'
import { checkVariable, fill, handOver } from './call-effects.ts'
import { resultOf } from './call-results.ts'
import { type Environment, lookup } from './environment.ts'
import { pathsOf, read, readPart } from './expressions.ts'
import { FORMATTING, takenBy } from './formats.ts'
import { methodOf } from './invoke.ts'
import { checkCall, type Given, settle } from './places.ts'
import { type ClassFacts, confirm, type Reading } from './reading.ts'
import { allFlows, type Closure, HERE, type Value } from './value.ts'

export type Call = Expression & { k: 'call' }

export type Callee = {
  receiver: Value | null
  paths: readonly string[]
  name: string
  closure: Closure | null
  made: ClassFacts | null
}

export function readCall(reading: Reading, call: Call, environment: Environment): Value {
  const callee = resolved(reading, call, environment)
  const { name, paths, receiver } = callee
  const readArgument = FORMATTING.test(name) ? readPart : read
  const whole = call.arguments.map(
    (argument): Given => ({ argument, value: readArgument(reading, argument.value, environment) }),
  )
  const given = takenBy(reading, name, whole, receiver)
  checkCall(reading, paths, given, receiver, environment, call.at)
  checkVariable(reading, call, environment)
  handOver(reading, given, environment)
  settle(reading, paths, given, receiver, environment)
  fill(reading, name, given, receiver, environment)
  if (receiver && USES.test(name)) confirm(reading, allFlows(receiver))
  return resultOf({ reading, call, callee, receiver, given, values: given.map(({ value }) => value), environment })
}

/** What uses a file or a path that was only named before. */
const USES =
  /^(?:delete|deleteOnExit|renameTo|mkdirs?|createNewFile|list|listFiles|setReadable|setWritable|setExecutable|setLastModified|transferTo|extractTo|compress|decompress|(?:read|write|open)(?:[A-Z]\w*)?)$/

function resolved(reading: Reading, { callee, isNew }: Call, environment: Environment): Callee {
  if (callee.k === 'member') {
    const receiver = read(reading, callee.object, environment)
    const ofObject = pathsOf(callee.object, receiver)
    const paths = ofObject.map((path) => memberPath(isNew ? `new ${path}` : path, callee.name))
    const own = receiver.items?.get(callee.name)
    const facts =
      reading.classes.get(receiver.owner ?? (callee.object.k === 'name' ? callee.object.name : '')) ??
      receiver.paths.map((path) => reading.classes.get(path)).find(Boolean)
    const closure = own?.closure ?? methodOf(reading, facts, callee.name)
    return {
      receiver,
      paths: own ? [...new Set([...paths, ...own.paths])] : paths,
      name: callee.name,
      closure,
      made: null,
    }
  }
  if (callee.k === 'name') {
    const bound = lookup(environment, callee.name)
    const isOurs = bound !== undefined && (bound.closure !== null || bound.paths.includes(HERE))
    const paths = isOurs ? bound.paths : bound ? pathsOf(callee, bound) : [callee.name]
    const facts = reading.classes.get(callee.name) ?? null
    const own =
      bound?.closure ?? methodOf(reading, reading.classes.get(lookup(environment, 'this')?.owner ?? ''), callee.name)
    return {
      receiver: null,
      paths: isNew ? paths.map((path) => `new ${path}`) : paths,
      name: callee.name,
      closure: isNew ? null : own,
      made: facts && (isNew || facts.methods.has('__init__')) ? facts : null,
    }
  }
  const value = read(reading, callee, environment)
  return { receiver: null, paths: value.paths, name: '', closure: value.closure, made: null }
}
