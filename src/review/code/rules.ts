// Loads the rules: one YAML file for each rule, one of sources and sanitisers for each language, checked and compiled once.

import { readdirSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { z } from 'zod'
import { type Index, openAnswers, openIndex } from './patterns.ts'
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

/** All rules of one language, indexed by the names that they are about. */
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

/** The rules of a language, loaded at the first call. Throws an error that says what is wrong with a file. */
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
  const book = openBook(language, rules)
  for (const [label, patterns] of Object.entries(shared.sources)) {
    for (const pattern of patterns) addSource(book, label, pattern)
  }
  for (const [kind, patterns] of Object.entries(shared.sanitisers)) {
    for (const pattern of patterns) book.sanitisers.add(pattern, kind)
  }
  for (const listener of shared.listeners) addListener(book, listener)
  for (const pattern of shared.handed) book.handed.add(pattern, true)
  for (const pattern of shared.vouching) book.vouching.add(pattern, true)
  for (const pattern of shared.neutral) book.neutral.add(pattern, true)
  for (const pattern of shared.ours) book.ours.add(pattern, true)
  for (const rule of rules) addRule(book, rule)
  return book
}

/** A rulebook whose indexes are empty. */
function openBook(language: RuleLanguage, rules: Rule[]): Rulebook {
  const answers = openAnswers()
  return {
    language,
    rules,
    trigger: openTrigger(language === 'php'),
    sources: openIndex(answers),
    callSources: openIndex(answers),
    marks: openIndex(answers),
    routineMarks: openIndex(answers),
    listeners: openIndex(answers),
    setListeners: openIndex(answers),
    routineListeners: openIndex(answers),
    handed: openIndex(answers),
    vouching: openIndex(answers),
    sanitisers: openIndex(answers),
    neutral: openIndex(answers),
    ours: openIndex(answers),
    callSinks: openIndex(answers),
    receiverSinks: openIndex(answers),
    assignSinks: openIndex(answers),
    returnSinks: openIndex(answers),
    callFlaws: openIndex(answers),
    assignFlaws: openIndex(answers),
    routineFlaws: openIndex(answers),
    settling: openIndex(answers),
    staging: openIndex(answers),
  }
}

function addListener(book: Rulebook, listener: z.infer<typeof languageFile>['listeners'][number]): void {
  const { label, call, assign = [], routine = [], event, named, given } = listener
  const heard: Listener = { label, named, given, heard: event === undefined ? undefined : new RegExp(event) }
  for (const pattern of [...call, ...assign, ...routine]) {
    // Arguments with `given` names are sources only if a member of them is read.
    if (!given) addWords(book.trigger.sources, pattern, label)
    addWords(book.trigger.handing, pattern, namesOf(named, given))
  }
  for (const pattern of routine) book.routineListeners.add(pattern, heard)
  for (const pattern of call) book.listeners.add(pattern, heard)
  for (const pattern of assign) book.setListeners.add(pattern, heard)
}

function addRule(book: Rulebook, rule: Rule): void {
  for (const pattern of rule.sanitisers) book.sanitisers.add(pattern, rule.kind)
  const given = rule.given === undefined ? null : { made: new RegExp(rule.made ?? '', 'i') }
  const harmful: Harmful = { sources: rule.sources, given }
  for (const sink of rule.sinks) addSink(book, { rule, sink }, harmful)
  for (const flaw of rule.flaws) addFlaw(book, { rule, flaw })
  for (const pattern of rule.unless) book.staging.add(pattern, rule.kind)
  for (const flaw of rule.settles) for (const pattern of flaw.call ?? []) book.settling.add(pattern, { rule, flaw })
}

function addSink(book: Rulebook, harm: Harm, harmful: Harmful): void {
  const { call = [], receiver = [], assign = [], returned = [] } = harm.sink
  for (const pattern of [...call, ...receiver, ...assign, ...returned]) addWords(book.trigger.sinks, pattern, harmful)
  for (const pattern of call) book.callSinks.add(pattern, harm)
  for (const pattern of receiver) book.receiverSinks.add(pattern, harm)
  for (const pattern of assign) book.assignSinks.add(pattern, harm)
  for (const pattern of returned) book.returnSinks.add(pattern, harm)
}

function addFlaw(book: Rulebook, fault: Fault): void {
  const { call = [], assign = [], routine = [] } = fault.flaw
  const setting = settingOf(fault.flaw)
  for (const pattern of [...call, ...assign, ...routine]) addWords(book.trigger.flaws, pattern, true, setting)
  for (const pattern of call) book.callFlaws.add(pattern, fault)
  for (const pattern of assign) book.assignFlaws.add(pattern, fault)
  for (const pattern of routine) book.routineFlaws.add(pattern, fault)
}

/** The names that a listener gives to the arguments of a handler. */
const namesOf = (named: string | undefined, given: readonly string[] | undefined): string[] => [
  ...(named === undefined ? [] : [named]),
  ...(given ?? []),
]

/** A named argument that a flaw requires, so that its name must occur in the code. */
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
