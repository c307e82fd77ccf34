// The rules as they stand in files: one YAML file a rule, one of sources and sanitisers a language, checked and compiled once.

import { readdirSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { z } from 'zod'
import { type Index, openIndex } from './patterns.ts'
import { addWords, openTrigger, openWords, type Trigger } from './words.ts'

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())])
const constant = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** Of an argument by position or name, `'*'` any one of them, or of an assigned value under `value`. */
const condition = z.strictObject({
  arg: z.union([z.number(), z.string()]).optional(),
  /** a number that has one of these bits */
  bits: z.number().optional(),
  /** expression, upper and lower case alike, that a known text is to match */
  matches: z.string().optional(),
  equals: constant.optional(),
  /** holds unless the argument is this, or is not known; an argument that is absent is not this */
  not: constant.optional(),
  /** expression that one of its names, or of those in a list, is to match; none of its own for `unnamed` */
  named: z.string().optional(),
  unnamed: z.string().optional(),
  /** expression that the beginning of a text is to match, as far as it does not come from outside */
  starts: z.string().optional(),
  /** the conditions hold of what it holds under a key that ends so; `arg: this` is the object of the call */
  item: z.string().optional(),
  /** what a function that is given does: answers `true`, or nothing at all */
  answers: z.enum(['true', 'nothing']).optional(),
  /** expression that one of the texts of a list, or the one text, is to match */
  holds: z.string().optional(),
  /** a text of at least this many characters that stands in the code */
  literal: z.number().optional(),
  /** given, but not a text or a number that stands in the code */
  unknown: z.boolean().optional(),
  /** what it holds stands in the code: it was made there */
  shown: z.boolean().optional(),
  /** all of it stands in the code: a text, a number, a list of such */
  known: z.boolean().optional(),
  absent: z.boolean().optional(),
  present: z.boolean().optional(),
})

const sink = z.strictObject({
  call: names.optional(),
  /** calls that harm through the object they are called on */
  receiver: names.optional(),
  assign: names.optional(),
  /** what functions with such a mark return */
  returned: names.optional(),
  /** positions and names of what is harmful; the first by default, '*' all */
  args: z.array(z.union([z.number(), z.string()])).default([0]),
  /** only a text harms, no object */
  text: z.boolean().default(false),
  /** only all that was sent at once harms */
  whole: z.boolean().default(false),
  /** only what decides the beginning of the text harms: a host, a scheme */
  leading: z.boolean().default(false),
  /** writes the answer: no longer harms once the type of that is settled */
  answer: z.boolean().default(false),
  /** only makes ready what harms where it is used: a check that comes after it counts as well */
  preparing: z.boolean().default(false),
  /** whether what a caller gives harms as well, where the rule speaks of it */
  given: z.boolean().default(true),
  where: z.array(condition).default([]),
})

const flaw = z.strictObject({
  call: names.optional(),
  assign: names.optional(),
  /** functions by name, by name and the types of their parameters, `verify:String:SSLSession`, or by a mark, `@exempt` */
  routine: names.optional(),
  where: z.array(condition).default([]),
})

const ruleFile = z.strictObject({
  title: z.string(),
  cwe: z.union([z.number().transform((one) => [one]), z.array(z.number())]),
  severity: z.enum(['LOW', 'MEDIUM', 'HIGH', 'CRITICAL']),
  kind: z.string(),
  message: z.string(),
  fix: z.string(),
  sources: z.array(z.string()).default(['http']),
  /** expression that the text before a value must match where a caller in other code may have given the value */
  given: z.string().optional(),
  /** whether that holds as well of a name that nothing in the piece of code binds */
  unbound: z.boolean().default(false),
  /** expression that a piece of code matches in which such a value may harm; without it none is looked for */
  made: z.string().optional(),
  sinks: z.array(sink).default([]),
  flaws: z.array(flaw).default([]),
  sanitisers: z.array(z.string()).default([]),
  /**
   * what says in a condition where the program runs: below one that speaks of a place that is not production, the rule is
   * silent
   */
  unless: z.array(z.string()).default([]),
  /**
   * calls after which answers harm no more: the type of one that is no page. The last condition decides; where the others
   * hold and it does not, an earlier call counts no more.
   */
  settles: z.array(flaw).default([]),
  vulnerable: names,
  fixed: names,
})

/** What a function is given that is handed to such a call, or set so. */
const listener = z.strictObject({
  label: z.string(),
  call: names,
  assign: names.optional(),
  /** expression that the first argument must match, where it says of what is heard */
  event: z.string().optional(),
  /** the name by which what is heard goes; it is then a whole, of which parts are read */
  named: z.string().optional(),
})

const languageFile = z.strictObject({
  /**
   * label → patterns: `a.b` a member, `a.b()` a call, `@Mark` a parameter with a mark, `fn@mark` all of a function's. First
   * parameters named so are a mark: `fn@event+context`.
   */
  sources: z.record(z.string(), z.array(z.string())),
  listeners: z.array(listener).default([]),
  /** what says from whom the whole comes: where it was compared, all of that is checked */
  vouching: z.array(z.string()).default([]),
  /** what a function's outcome no longer harms → functions */
  sanitisers: z.record(z.string(), z.array(z.string())),
  /** functions whose outcome says nothing of what they were given */
  neutral: z.array(z.string()).default([]),
  /** what makes something of our own that usually goes by the name of what comes from outside: a request that is sent */
  ours: z.array(z.string()).default([]),
})

export type Listener = { label: string; named: string | undefined; heard: RegExp | undefined }
export type Condition = z.infer<typeof condition>
export type Sink = z.infer<typeof sink>
export type Flaw = z.infer<typeof flaw>
export type Rule = z.infer<typeof ruleFile> & { id: string; language: RuleLanguage }
export type Harm = { rule: Rule; sink: Sink }
export type Fault = { rule: Rule; flaw: Flaw }

export const ruleLanguages = ['javascript', 'python', 'java', 'php', 'go'] as const
export type RuleLanguage = (typeof ruleLanguages)[number]

/** All rules of one language, by the names that they are about. */
export type Rulebook = {
  rules: Rule[]
  trigger: Trigger
  sources: Index<string>
  callSources: Index<string>
  marks: Index<string>
  routineMarks: Index<string>
  listeners: Index<Listener>
  setListeners: Index<Listener>
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
  const book = compiled(rules, shared)
  books.set(language, book)
  return book
}

function compiled(rules: Rule[], shared: z.infer<typeof languageFile>): Rulebook {
  const book: Rulebook = {
    rules,
    trigger: openTrigger(),
    sources: openIndex(),
    callSources: openIndex(),
    marks: openIndex(),
    routineMarks: openIndex(),
    listeners: openIndex(),
    setListeners: openIndex(),
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
  for (const { label, call, assign, event, named } of shared.listeners) {
    const heard: Listener = { label, named, heard: event === undefined ? undefined : new RegExp(event) }
    for (const pattern of [...call, ...(assign ?? [])]) addWords(book.trigger.sources, pattern)
    for (const pattern of call) book.listeners.add(pattern, heard)
    for (const pattern of assign ?? []) book.setListeners.add(pattern, heard)
  }
  for (const pattern of shared.vouching) book.vouching.add(pattern, true)
  for (const pattern of shared.neutral) book.neutral.add(pattern, true)
  for (const pattern of shared.ours) book.ours.add(pattern, true)
  for (const rule of rules) {
    for (const pattern of rule.sanitisers) book.sanitisers.add(pattern, rule.kind)
    const given = rule.given === undefined ? null : { made: new RegExp(rule.made ?? '', 'i'), words: openWords() }
    if (given) book.trigger.given.push(given)
    for (const each of rule.sinks) {
      const harm = { rule, sink: each }
      const all = [each.call, each.receiver, each.assign, each.returned].flatMap((patterns) => patterns ?? [])
      for (const pattern of all) addWords(book.trigger.sinks, pattern)
      if (given) for (const pattern of all) addWords(given.words, pattern)
      for (const pattern of each.call ?? []) book.callSinks.add(pattern, harm)
      for (const pattern of each.receiver ?? []) book.receiverSinks.add(pattern, harm)
      for (const pattern of each.assign ?? []) book.assignSinks.add(pattern, harm)
      for (const pattern of each.returned ?? []) book.returnSinks.add(pattern, harm)
    }
    for (const each of rule.flaws) {
      const fault = { rule, flaw: each }
      const all = [each.call, each.assign, each.routine].flatMap((patterns) => patterns ?? [])
      for (const pattern of all) addWords(book.trigger.flaws, pattern)
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

function addSource(book: Rulebook, label: string, pattern: string): void {
  addWords(book.trigger.sources, pattern.replace(/^(?:fn)?@/, ''))
  if (pattern.startsWith('@')) book.marks.add(pattern.slice(1), label)
  else if (pattern.startsWith('fn@')) book.routineMarks.add(pattern.slice(3), label)
  else if (pattern.endsWith('()')) book.callSources.add(pattern.slice(0, -2), label)
  else book.sources.add(pattern, label)
}
