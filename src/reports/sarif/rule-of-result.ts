// Resolves what a result inherits from its rule: weaknesses, vulnerabilities and severity.

import { severityOfScore } from '../../core/cvss.ts'
import type { Severity } from '../types.ts'
import {
  at,
  between,
  cvssVectorOf,
  cwesIn,
  type Fields,
  object,
  objects,
  onceFor,
  severityOf,
  text,
  textAt,
  texts,
  uniq,
  vulnerabilityIdsIn,
  whole,
} from '../values.ts'
import type { Rule, Rules, ToolPart } from './rules.ts'

/** The rule that a result was made by: by reference, index or id; of `a/b` that of `a` when there is none of its own. */
export function ruleOfResult(result: Fields, rules: Rules): { rule?: Rule; part: ToolPart; id?: string } {
  const reference = object(result.rule)
  const part = partOf(reference.toolComponent, rules)
  const id = text(result.ruleId, 500) ?? text(reference.id, 500)
  const index = whole(result.ruleIndex, 0) ?? whole(reference.index, 0)
  const guid = text(reference.guid)
  const indexed = index === undefined ? undefined : part.rules[index]
  const fits = indexed !== undefined && (id === undefined || indexed.id === undefined || isOf(id, indexed.id))
  const rule = fits ? indexed : (byGuid(part, guid) ?? byId(rules, part, id))
  return { rule, part, id: id ?? rule?.id }
}

function partOf(reference: unknown, rules: Rules): ToolPart {
  const index = whole(at(reference, 'index'), 0)
  if (index !== undefined) return rules.extensions[index] ?? rules.driver
  const [name, guid] = [textAt(reference, 'name'), textAt(reference, 'guid')]
  if (name === undefined && guid === undefined) return rules.driver
  const isIt = (part: ToolPart) => (guid !== undefined ? part.guid === guid : part.name === name)
  return rules.extensions.find(isIt) ?? rules.driver
}

const isOf = (id: string, ruleId: string): boolean => id === ruleId || id.startsWith(`${ruleId}/`)

const byGuid = (part: ToolPart, guid: string | undefined): Rule | undefined =>
  guid === undefined ? undefined : part.rules.find((rule) => rule?.guid === guid)

const indices = new WeakMap<ToolPart, Map<string, Rule>>()

function byId(rules: Rules, first: ToolPart, id: string | undefined): Rule | undefined {
  const parts = uniq([first, rules.driver, ...rules.extensions])
  for (let wanted = id; wanted !== undefined; wanted = parentOf(wanted)) {
    for (const part of parts) {
      const rule = indexOf(part).get(wanted)
      if (rule) return rule
    }
  }
  return undefined
}

function indexOf(part: ToolPart): Map<string, Rule> {
  const known = indices.get(part)
  if (known) return known
  const made = new Map<string, Rule>()
  for (const rule of part.rules) if (rule?.id !== undefined && !made.has(rule.id)) made.set(rule.id, rule)
  indices.set(part, made)
  return made
}

const parentOf = (id: string): string | undefined => (id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined)

/** Ids of vulnerabilities that a rule has, or that a result calls it by. */
export function vulnerabilitiesOf(rule: Rule | undefined, ruleId: string | undefined): readonly string[] | undefined {
  if (rule === undefined || ruleId !== rule.id) return vulnerabilityIdsIn(rule?.vulnerabilityIds ?? [], ruleId)
  return vulnerabilitiesOfRule(rule, () => vulnerabilityIdsIn(rule.vulnerabilityIds, ruleId))
}

const vulnerabilitiesOfRule = onceFor<Rule, readonly string[] | undefined>()

/** CWEs of a result and of its rule, those of the result first. */
export function cwesOf(result: Fields, rule: Rule | undefined, rules: Rules): readonly number[] | undefined {
  const isOfRule = rule !== undefined && result.properties === undefined && result.taxa === undefined
  if (!isOfRule) return cwesAsRead(result, rule, rules)
  return cwesOfRule(rule, () => cwesAsRead(result, rule, rules))
}

const cwesOfRule = onceFor<Rule, readonly number[] | undefined>()

function cwesAsRead(result: Fields, rule: Rule | undefined, rules: Rules): readonly number[] | undefined {
  const properties = object(result.properties)
  const taxa = [...objects(result.taxa), ...(rule?.related ?? [])].map((taxon) => taxonOf(taxon, rules.taxonomies))
  return cwesIn(properties.cwe, properties.cwes, properties.CWE, tagsIn(properties), rule?.cwes, taxa)
}

const tagsIn = (properties: Fields): readonly string[] => texts(properties.tags).filter((tag) => /cwe/i.test(tag))

/** `CWE-79` of a reference to a taxon of CWE; undefined for other taxonomies. */
function taxonOf(reference: unknown, taxonomies: readonly ToolPart[]): string | undefined {
  const index = whole(at(reference, 'toolComponent', 'index'), 0)
  const named = textAt(reference, 'toolComponent', 'name')
  const guid = textAt(reference, 'toolComponent', 'guid')
  const taxonomy =
    taxonomies.find((part) => part.guid !== undefined && part.guid === guid) ??
    taxonomies.find((part) => part.name !== undefined && part.name === named) ??
    (index === undefined ? undefined : taxonomies[index])
  const taxon = whole(at(reference, 'index'), 0)
  const id = textAt(reference, 'id') ?? (taxon === undefined ? undefined : taxonomy?.rules[taxon]?.id)
  if (id === undefined || !/cwe/i.test(`${named ?? taxonomy?.name ?? ''} ${id}`)) return undefined
  return /^\d+$/.test(id) ? `CWE-${id}` : id
}

/** SARIF's four levels; a scanner that does not say is taken at its default, `warning`. */
const severityOfLevel: ReadonlyMap<string, Severity> = new Map([
  ['error', 'HIGH'],
  ['warning', 'MEDIUM'],
  ['note', 'LOW'],
  ['none', 'NOTIFICATION'],
])

/** gosec tells its severities in a rule's tags alone: its levels are `error` for MEDIUM too. */
function severityInTags(tags: readonly string[]): Severity | undefined {
  const [first, ...more] = tags.filter((tag) => /^(?:CRITICAL|HIGH|MEDIUM|LOW)$/.test(tag))
  return more.length === 0 ? severityOf(first) : undefined
}

/** What the result says itself, else a security score, else one severity among the rule's tags, else a level: of result, invocation or rule, in this order. */
export function severityOfResult(
  result: Fields,
  rule: Rule | undefined,
  rules: Rules,
): { severity: Severity; cvssScore?: number; cvssVector?: string } {
  const own = object(result.properties)
  const of = rule?.properties ?? {}
  const rated = own['security-severity'] ?? of['security-severity'] ?? scoreNamed(own) ?? scoreNamed(of)
  const cvssScore = between(rated, 0, 10)
  const cvssVector = vectorIn(own) ?? vectorIn(of)
  const level = text(result.level) ?? overrideOf(result, rule, rules) ?? rule?.level ?? 'warning'
  const severity =
    (cvssScore === undefined ? undefined : severityOfScore(cvssScore)) ??
    severityOf(rated) ??
    severityOf(own.severity) ??
    severityInTags(rule?.tags ?? []) ??
    severityOfLevel.get(level) ??
    'MEDIUM'
  return { severity, cvssScore, cvssVector }
}

/** The first vector of a property bag; those of rules are asked for with every result. */
const vectorIn = (properties: Fields): string | undefined =>
  vectorOf(properties, () => uniq(Object.values(properties).map(cvssVectorOf))[0])

const vectorOf = onceFor<Fields, string | undefined>()

const scoreNamed = (properties: Fields): unknown =>
  properties.cvssv3_baseScore ?? properties.cvssV3 ?? properties.cvss_score ?? properties.cvssScore

function overrideOf(result: Fields, rule: Rule | undefined, rules: Rules): string | undefined {
  const invocation = whole(at(result, 'provenance', 'invocationIndex'), 0)
  const overrides = rules.overrides[invocation ?? 0] ?? []
  if (invocation === undefined && rules.overrides.length > 1) return undefined
  return overrides.find((override) => {
    if (override.ruleId !== undefined) return override.ruleId === (rule?.id ?? text(result.ruleId))
    const part = override.part === undefined ? rules.driver : rules.extensions[override.part]
    return override.index !== undefined && rule !== undefined && part?.rules[override.index] === rule
  })?.level
}
