// Recognises the format of a threat-model file by its content, and reads it.

import { isOpenThreatModel, readOpenThreatModel } from './open-threat-model.ts'
import { isThreatDragon, readThreatDragon } from './threat-dragon.ts'
import {
  LARGEST_MODEL,
  type LeftOut,
  MOST_THREATS,
  type ModelThreat,
  type ThreatModel,
  ThreatModelFault,
} from './types.ts'
import { type Entry, isEntry } from './values.ts'
import { parseYaml } from './yaml.ts'

/**
 * Reads a model of OWASP Threat Dragon (1 and 2, JSON) or an Open Threat Model (0.1 and 0.2, JSON or YAML). Each key is there
 * once: a second threat with the key of another is left out. ThreatModelFault for anything else and above the bounds of types.ts.
 */
export function readThreatModel(bytes: Uint8Array): ThreatModel {
  if (bytes.length > LARGEST_MODEL) throw new ThreatModelFault(`A threat model has at most ${LARGEST_MODEL} bytes`)
  const file = parse(decode(bytes))
  const model = read(file)
  const { threats, repeated } = once(model.threats)
  if (threats.length > MOST_THREATS) throw new ThreatModelFault(`A model has at most ${MOST_THREATS} threats`)
  return { ...model, threats, leftOut: [...model.leftOut, ...repeated].slice(0, MOST_THREATS) }
}

function read(file: Entry): ThreatModel {
  if (isOpenThreatModel(file)) return readOpenThreatModel(file)
  if (isThreatDragon(file)) return readThreatDragon(file)
  throw new ThreatModelFault('The file is neither an OWASP Threat Dragon model nor an Open Threat Model')
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ThreatModelFault('The file is not text in UTF-8')
  }
}

function parse(text: string): Entry {
  const isJson = /^\s*\{/.test(text)
  const value = isJson ? parseJson(text) : parseYaml(text)
  if (isEntry(value)) return value
  throw new ThreatModelFault('The file is neither a JSON object nor a YAML mapping')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ThreatModelFault('The file is not valid JSON')
  }
}

function once(given: readonly ModelThreat[]): { threats: ModelThreat[]; repeated: LeftOut[] } {
  const known = new Map<string, ModelThreat>()
  const repeated: LeftOut[] = []
  for (const threat of given) {
    const first = known.get(threat.key)
    if (first) repeated.push({ threat: threat.title, reason: `It has the id of “${first.title}”` })
    else known.set(threat.key, threat)
  }
  return { threats: [...known.values()], repeated }
}
