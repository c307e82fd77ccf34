// Collects the rules of a SARIF run, within bounds.

import { ReportFault } from '../types.ts'
import {
  at,
  cwesIn,
  type Fields,
  isObject,
  links,
  object,
  objects,
  text,
  textAt,
  texts,
  vulnerabilityIdsIn,
} from '../values.ts'

export type Rule = {
  id?: string
  guid?: string
  name?: string
  title?: string
  description?: string
  help?: string
  level?: string
  cwes: readonly number[]
  /** references to taxa, which may stand after the rules */
  related: readonly unknown[]
  tags: readonly string[]
  vulnerabilityIds: readonly string[]
  reference?: string
  properties: Fields
  messages: ReadonlyMap<string, string>
}

/** A `toolComponent`: the driver, an extension, or a taxonomy. `rules`: by index; what stands at one may not have been a rule. */
export type ToolPart = { name?: string; guid?: string; rules: (Rule | undefined)[]; messages: Map<string, string> }

type Override = { ruleId?: string; index?: number; part?: number; level: string }

export type Rules = { driver: ToolPart; extensions: ToolPart[]; taxonomies: ToolPart[]; overrides: Override[][] }

/** Rules of a report, and characters of them, that are kept. */
const MOST_RULES = 100_000
const MOST_CHARACTERS = 60_000_000
const LONGEST = 20_000

export const noRules = (): Rules => ({ driver: newPart(), extensions: [], taxonomies: [], overrides: [] })

export const newPart = (): ToolPart => ({ rules: [], messages: new Map() })

/** Takes rules of a whole report, within the bounds of all of them together. */
export function ruleTaker(): (value: unknown) => Rule {
  let count = 0
  let characters = 0
  return (value) => {
    count++
    if (count > MOST_RULES) throw new ReportFault(`The report has more than ${MOST_RULES} rules`)
    const rule = ruleOf(object(value))
    characters += sizeOf([rule.description, rule.help, ...rule.messages.values(), ...Object.values(rule.properties)])
    if (characters < MOST_CHARACTERS) return rule
    return { ...rule, description: undefined, help: undefined, properties: {}, messages: new Map() }
  }
}

const sizeOf = (values: readonly unknown[]): number =>
  values.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 50), 500)

function ruleOf(value: Fields): Rule {
  const properties = object(value.properties)
  const tags = texts(properties.tags).slice(0, 50)
  const id = text(value.id, 500)
  const name = text(value.name, 500)
  const title = messageText(value.shortDescription, 2000)
  const help = textAt(value, 'helpUri')
  return {
    id,
    guid: text(value.guid, 100),
    name,
    title,
    description: messageText(value.fullDescription, LONGEST),
    help: text(at(value, 'help', 'markdown'), LONGEST) ?? text(at(value, 'help', 'text'), LONGEST),
    level: textAt(value, 'defaultConfiguration', 'level'),
    cwes: cwesIn(tags, properties.cwe, properties.cwes, properties.CWE) ?? [],
    related: objects(value.relationships)
      .slice(0, 20)
      .map((relationship) => relationship.target),
    tags: tags.filter((tag) => !/cwe[-_: /]/i.test(tag)).map((tag) => tag.slice(0, 100)),
    vulnerabilityIds:
      vulnerabilityIdsIn(id, name, texts(value.deprecatedIds), tags, properties.aliases, properties.cve, title, help) ??
      [],
    reference: links(help, ...texts(properties.references)),
    properties: scalarsOf(properties),
    messages: messagesOf(value.messageStrings),
  }
}

/** Texts, numbers and short lists of a property bag; what is nested deeper is not looked at. */
function scalarsOf(properties: Fields): Fields {
  const kept: Record<string, unknown> = Object.create(null)
  for (const [key, value] of Object.entries(properties).slice(0, 60)) {
    if (key === 'tags') continue
    if (Array.isArray(value))
      kept[key] = texts(value)
        .slice(0, 10)
        .map((each) => each.slice(0, 500))
    else if (typeof value === 'string') kept[key] = value.slice(0, 2000)
    else if (!isObject(value)) kept[key] = value
  }
  return kept
}

export function messagesOf(value: unknown): Map<string, string> {
  const messages = new Map<string, string>()
  for (const [id, message] of Object.entries(object(value)).slice(0, 200)) {
    const words = messageText(message, LONGEST)
    if (words !== undefined) messages.set(id, words)
  }
  return messages
}

const messageText = (value: unknown, most: number): string | undefined =>
  text(at(value, 'text'), most) ?? text(at(value, 'markdown'), most)
