// Loads the rules: one YAML file for each rule, one of sources and sanitisers for each language, checked and compiled once.

import { readdirSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { z } from 'zod'
import { type Index, openIndex } from './patterns.ts'
import { type Flaw, languageFile, ruleFile, type Sink } from './rule-file.ts'
import { addWords } from './vocabulary.ts'
import { type Harmful, openTrigger, type Trigger } from './words.ts'

export type Listener = {
  label: string
  named: string | undefined
  given: string[] | undefined
  heard: RegExp | undefined
}
export type Rule = z.infer<typeof ruleFile> & { id: string; language: RuleLanguage }
export type Harm = { rule: Rule; sink: Sink }
export type Fault = { rule: Rule; flaw: Flaw }

export const ruleLanguages = ['javascript', 'python', 'java', 'php', 'go'] as const
export type RuleLanguage = (typeof ruleLanguages)[number]

/** All rules of one language, by the names that they are about. */
export type Rulebook = {
  language: RuleLanguage
  rules: Rule[]
  trigger: Trigger
  sources: Index<string>
  callSources: Index<string>
  marks: Index<string>
  routineMarks: Index<string>
  listeners: Index<Listener>
  setListeners: Index<Listener>
  routineListeners: Index<Listener>
  handed: Index<true>
  vouching: Index<true>
  sanitisers: Index<string>
  neutral: Index<true>
  ours: Index<true>
  callSinks: Index<Harm>
  receiverSinks: Index<Harm>
  assignSinks: Index<Harm>
  returnSinks: Index<Harm>
  callFlaws: Index<Fault>
  assignFlaws: Index<Fault>
  routineFlaws: Index<Fault>
  settling: Index<Fault>
  staging: Index<string>
}

const folder = new URL('./rules/', import.meta.url)

const readYaml = (path: string): unknown => load(readFileSync(new URL(path, folder), 'utf8'))

const books = new Map<RuleLanguage, Rulebook>()

/** The rules of a language, read at the first call. Throws what is wrong with a file of them. */
export function rulebook(language: RuleLanguage): Rulebook {
  const known = books.get(language)
  if (known) return known
  const files = readdirSync(new URL(`${language}/`, folder)).filter((name) => name.endsWith('.yaml'))
  const rules = files
    .filter((name) => name !== '_language.yaml')
    .sort()
    .map((name): Rule => {
      const checked = ruleFile.safeParse(readYaml(`${language}/${name}`))
      if (!checked.success) throw new Error(`${language}/${name}: ${z.prettifyError(checked.error)}`)
      return { ...checked.data, id: `${language}/${name.replace(/\.yaml$/, '')}`, language }
    })
  const shared = languageFile.parse(readYaml(`${language}/_language.yaml`))
  const book = compiled(language, rules, shared)
  books.set(language, book)
  return book
}

function compiled(language: RuleLanguage, rules: Rule[], shared: z.infer<typeof languageFile>): Rulebook {
  const book: Rulebook = {
    language,
    rules,
    trigger: openTrigger(language === 'php'),
    sources: openIndex(),
    callSources: openIndex(),
    marks: openIndex(),
    routineMarks: openIndex(),
    listeners: openIndex(),
    setListeners: openIndex(),
    routineListeners: openIndex(),
    handed: openIndex(),
    vouching: openIndex(),
    sanitisers: openIndex(),
    neutral: openIndex(),
    ours: openIndex(),
    callSinks: openIndex(),
    receiverSinks: openIndex(),
    assignSinks: openIndex(),
    returnSinks: openIndex(),
    callFlaws: openIndex(),
    assignFlaws: openIndex(),
    routineFlaws: openIndex(),
    settling: openIndex(),
    staging: openIndex(),
  }
  for (const [label, patterns] of Object.entries(shared.sources)) {
    for (const pattern of patterns) addSource(book, label, pattern)
  }
  for (const [kind, patterns] of Object.entries(shared.sanitisers)) {
    for (const pattern of patterns) book.sanitisers.add(pattern, kind)
  }
  for (const { label, call, assign, routine, event, named, given } of shared.listeners) {
    const heard: Listener = { label, named, given, heard: event === undefined ? undefined : new RegExp(event) }
    // What goes by a name alone is a source only where a part of it is read.
    for (const pattern of [...call, ...(assign ?? [])]) {
      if (!given) addWords(book.trigger.sources, pattern, label)
      addWords(book.trigger.handing, pattern, namesOf(named, given))
    }
    for (const pattern of routine ?? []) {
      if (!given) addWords(book.trigger.sources, pattern, label)
      addWords(book.trigger.handing, pattern, namesOf(named, given))
    }
    for (const pattern of routine ?? []) book.routineListeners.add(pattern, heard)
    for (const pattern of call) book.listeners.add(pattern, heard)
    for (const pattern of assign ?? []) book.setListeners.add(pattern, heard)
  }
  for (const pattern of shared.handed) book.handed.add(pattern, true)
  for (const pattern of shared.vouching) book.vouching.add(pattern, true)
  for (const pattern of shared.neutral) book.neutral.add(pattern, true)
  for (const pattern of shared.ours) book.ours.add(pattern, true)
  for (const rule of rules) {
    for (const pattern of rule.sanitisers) book.sanitisers.add(pattern, rule.kind)
    const given = rule.given === undefined ? null : { made: new RegExp(rule.made ?? '', 'i') }
    const harmful: Harmful = { sources: rule.sources, given }
    for (const each of rule.sinks) {
      const harm = { rule, sink: each }
      const all = [each.call, each.receiver, each.assign, each.returned].flatMap((patterns) => patterns ?? [])
      for (const pattern of all) addWords(book.trigger.sinks, pattern, harmful)
      for (const pattern of each.call ?? []) book.callSinks.add(pattern, harm)
      for (const pattern of each.receiver ?? []) book.receiverSinks.add(pattern, harm)
      for (const pattern of each.assign ?? []) book.assignSinks.add(pattern, harm)
      for (const pattern of each.returned ?? []) book.returnSinks.add(pattern, harm)
    }
    for (const each of rule.flaws) {
      const fault = { rule, flaw: each }
      const all = [each.call, each.assign, each.routine].flatMap((patterns) => patterns ?? [])
      const setting = settingOf(each)
      for (const pattern of all) addWords(book.trigger.flaws, pattern, true, setting)
      for (const pattern of each.call ?? []) book.callFlaws.add(pattern, fault)
      for (const pattern of each.assign ?? []) book.assignFlaws.add(pattern, fault)
      for (const pattern of each.routine ?? []) book.routineFlaws.add(pattern, fault)
    }
    for (const pattern of rule.unless) book.staging.add(pattern, rule.kind)
    for (const each of rule.settles)
      for (const pattern of each.call ?? []) book.settling.add(pattern, { rule, flaw: each })
  }
  return book
}

/** The names by which a listener knows what is handed over. */
const namesOf = (named: string | undefined, given: readonly string[] | undefined): string[] => [
  ...(named === undefined ? [] : [named]),
  ...(given ?? []),
]

/** An argument that must be there by its name, so that its name stands in the code. */
const settingOf = ({ where }: Flaw): string | undefined =>
  where
    .filter(({ absent, not }) => absent === undefined && not === undefined)
    .map(({ arg }) => arg)
    .find((arg) => typeof arg === 'string' && /^\w+$/.test(arg) && arg !== 'this')
    ?.toString()

function addSource(book: Rulebook, label: string, pattern: string): void {
  addWords(book.trigger.sources, pattern, label)
  if (pattern.startsWith('@')) book.marks.add(pattern.slice(1), label)
  else if (pattern.startsWith('fn@')) book.routineMarks.add(pattern.slice(3), label)
  else if (pattern.endsWith('()')) book.callSources.add(pattern.slice(0, -2), label)
  else book.sources.add(pattern, label)
}
